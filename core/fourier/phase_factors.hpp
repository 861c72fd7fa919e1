#pragma once

#include <cmath>
#include <cstddef>
#include <type_traits>

namespace recon {

/// exp(i 2 pi phase).
template <class T>
struct PhaseFactor {
    T cosine;
    T sine;
};

namespace detail {

template <std::size_t count, class Arithmetic>
constexpr Arithmetic polynomial(const double (&coefficients)[count], Arithmetic x) {
    auto sum = static_cast<Arithmetic>(coefficients[count - 1]);
    for (std::size_t i = count - 1; i > 0; --i) {
        sum = sum * x + static_cast<Arithmetic>(coefficients[i - 1]);
    }
    return sum;
}

// sin(2 pi f) = f S(f^2) and cos(2 pi f) = C(f^2) for |f| <= 1/8: interpolation at the Chebyshev points of f^2, solved
// with 60 digits. Truncation below 5e-11 (single) and 5e-17 (double), a fraction of the rounding of each.
template <class T, class Arithmetic>
constexpr Arithmetic sine_series(Arithmetic square) {
    if constexpr (std::is_same_v<T, float>) {
        constexpr double c[] = {6.283185307152399614, -41.3417021533949024, 81.60520471104575469, -76.69786635020280583,
                                41.47283323950919249};
        return polynomial(c, square);
    } else {
        constexpr double c[] = {6.283185307179586457,  -41.34170224039963621, 81.60524927594803521,
                                -76.70585970427455065, 42.05868502016089405,  -15.09380420998711351,
                                3.780868959302295518};
        return polynomial(c, square);
    }
}

template <class T, class Arithmetic>
constexpr Arithmetic cosine_series(Arithmetic square) {
    if constexpr (std::is_same_v<T, float>) {
        constexpr double c[] = {0.9999999999524894167, -19.73920865013059551, 64.93931613570904963,
                                -85.44284467308165951, 59.22016895829609622};
        return polynomial(c, square);
    } else {
        constexpr double c[] = {1.0,
                                -19.73920880217842146,
                                64.93939402236537124,
                                -85.45681709034114641,
                                60.24462008593028984,
                                -26.4242570348826894,
                                7.810290968144190574};
        return polynomial(c, square);
    }
}

}  // namespace detail

/// exp(i 2 pi phase) for any finite phase in turns, without branches or calls, so that a loop over it is vectorised.
///
/// The phase is reduced to the nearest quarter turn and a rest of at most 1/8. Absolute error, in double arithmetic,
/// below 5e-11 (`T` single) and 3e-16 (double) of a modulus of 1; in single arithmetic, below 2e-7. That a half-turn
/// negates the result to the bit keeps the mean over all phases zero, and so keeps a sum of a million factors free of a
/// bias.
template <class T, class Arithmetic = double>
inline PhaseFactor<Arithmetic> wide_phase_factor(Arithmetic phase) {
    const Arithmetic quarters = std::rint(4 * phase);
    const Arithmetic fraction = phase - Arithmetic(0.25) * quarters;
    const Arithmetic square = fraction * fraction;
    const Arithmetic cosine = detail::cosine_series<T>(square);
    const Arithmetic sine = fraction * detail::sine_series<T>(square);
    // exp(i (a + q pi/2)) = i^q exp(i a), with q modulo 4 as a number between -2 and 2. A product with i^q rather than
    // a choice between sine and cosine: g++ 12 does not vectorise the choice.
    const Arithmetic q = quarters - 4 * std::rint(Arithmetic(0.25) * quarters);
    const Arithmetic real = 1 - std::abs(q);             // 1, 0, -1 for |q| = 0, 1, 2
    const Arithmetic imaginary = q * (2 - std::abs(q));  // 0, q, 0
    return {real * cosine - imaginary * sine, imaginary * cosine + real * sine};
}

/// The same rounded to T: absolute error below 6e-8 in single precision.
template <class T>
inline PhaseFactor<T> phase_factor(double phase) {
    const PhaseFactor<double> wide = wide_phase_factor<T>(phase);
    return {static_cast<T>(wide.cosine), static_cast<T>(wide.sine)};
}

}  // namespace recon
