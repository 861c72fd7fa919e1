#pragma once

#include <algorithm>
#include <bit>
#include <cstdint>
#include <type_traits>

#include "core/fourier/phase_factors.hpp"

namespace recon {

/// exp(-x) for any finite x, without branches or calls, so that a loop over it is vectorised. Relative error below
/// 1e-7 (single; and a rounding of x itself) and 5e-16 (double); 2^-120 (2^-1000) where the true value is less, and
/// its inverse where it is more.
template <class T>
inline T decay_factor(T x) {
    using Bits = std::conditional_t<std::is_same_v<T, float>, std::uint32_t, std::uint64_t>;
    constexpr int mantissa_bits = std::is_same_v<T, float> ? 23 : 52;
    constexpr T whole_shift = T(1.5) * static_cast<T>(Bits{1} << mantissa_bits);  // adding it rounds to whole numbers
    constexpr T largest = std::is_same_v<T, float> ? 120 : 1000;
    constexpr T log2_e = static_cast<T>(1.4426950408889634074);
    const T exponent = std::clamp(-log2_e * x, -largest, largest);
    const T shifted = exponent + whole_shift;
    const T fraction = exponent - (shifted - whole_shift);
    // 2^f for |f| <= 1/2: interpolation at the Chebyshev points, solved with 50 digits; errors 2.6e-9 and 4.3e-18.
    T power;
    if constexpr (std::is_same_v<T, float>) {
        constexpr double c[] = {0.99999999999999999999, 0.69314720670283259577, 0.24022650922288758070,
                                0.05550327226670302058, 0.00961805667852463807, 0.00134004281776158379,
                                0.00015461444698569129};
        power = detail::polynomial(c, fraction);
    } else {
        constexpr double c[] = {0.99999999999999999693, 0.69314718055994530925, 0.24022650695910159567,
                                0.05550410866482162703, 0.00961812910758725666, 0.00133335581464064706,
                                0.00015403530463724354, 0.00001525273384155677, 0.00000132154325359123,
                                1.01780570877339411e-7, 7.07419429728852100e-9, 4.45581790833606456e-10};
        power = detail::polynomial(c, fraction);
    }
    // The low bits of `shifted` are the whole number, to be added to the exponent of the result.
    return std::bit_cast<T>(std::bit_cast<Bits>(power) + (std::bit_cast<Bits>(shifted) << mantissa_bits));
}

}  // namespace recon
