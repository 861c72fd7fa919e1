// Mirrors core/backend/cpu/fft/fft_butterflies.hpp.
#pragma once

#include <type_traits>
#include <utility>

#include "gpu/device/device_complex.cuh"

namespace recon::butterfly {

/// Which of the R numbers of a butterfly exist: all, or the lower half (the others are zero, or not wanted).
enum class Part { all, lower_half };

/// Calls function(std::integral_constant<int, i>) for i = 0 .. count - 1: indices that are constants keep small arrays
/// in registers.
template <int count, class Function>
__host__ __device__ constexpr void for_constants(Function&& function) {
    [&]<int... i>(std::integer_sequence<int, i...>) { (function(std::integral_constant<int, i>{}), ...); }
    (std::make_integer_sequence<int, count>{});
}

/// Taylor series of the sine, exact in double for |x| <= pi / 4.
__host__ __device__ constexpr double sine_series(double x) {
    double term = x;
    double sum = x;
    for (int n = 1; n < 12; ++n) {
        term *= -x * x / ((2 * n) * (2 * n + 1));
        sum += term;
    }
    return sum;
}
__host__ __device__ constexpr double cosine_series(double x) {
    double term = 1;
    double sum = 1;
    for (int n = 1; n < 12; ++n) {
        term *= -x * x / ((2 * n - 1) * (2 * n));
        sum += term;
    }
    return sum;
}
/// cos and sin of 2 pi m / r, 0 <= m < r, by symmetry from the first eighth of the circle.
__host__ __device__ constexpr double cosine_of_turn(int m, int r) {
    if (2 * m > r) {
        m = r - m;
    }
    if (4 * m > r) {
        return -cosine_of_turn(r - 2 * m, 2 * r);
    }
    return 8 * m <= r ? cosine_series(2 * pi * m / r) : sine_series(2 * pi * (r - 4 * m) / (4.0 * r));
}
__host__ __device__ constexpr double sine_of_turn(int m, int r) {
    return cosine_of_turn((4 * m + 3 * r) % (4 * r), 4 * r);  // sin(a) = cos(a - quarter turn)
}

/// x exp(-i 2 pi m / r)
template <int m, int r, class T>
__host__ __device__ DeviceComplex<T> turned(DeviceComplex<T> x) {
    if constexpr (m == 0) {
        return x;
    } else if constexpr (4 * m == r) {
        return {x.im, -x.re};
    } else if constexpr (2 * m == r) {
        return {-x.re, -x.im};
    } else if constexpr (4 * m == 3 * r) {
        return {-x.im, x.re};
    } else if constexpr (8 * m == r) {
        constexpr T h = static_cast<T>(cosine_of_turn(1, 8));
        return {h * (x.re + x.im), h * (x.im - x.re)};
    } else if constexpr (8 * m == 3 * r) {
        constexpr T h = static_cast<T>(cosine_of_turn(1, 8));
        return {h * (x.im - x.re), -h * (x.re + x.im)};
    } else {
        constexpr T c = static_cast<T>(cosine_of_turn(m, r));
        constexpr T s = static_cast<T>(sine_of_turn(m, r));
        return {x.re * c + x.im * s, x.im * c - x.re * s};
    }
}

template <class T>
__host__ __device__ void transform_3(DeviceComplex<T> (&x)[3]) {
    constexpr T sine = static_cast<T>(sine_of_turn(1, 3));
    const DeviceComplex<T> sum = x[1] + x[2];
    const DeviceComplex<T> difference = sine * (x[1] - x[2]);
    const DeviceComplex<T> middle = x[0] - T(0.5) * sum;
    x[0] = x[0] + sum;
    x[1] = {middle.re + difference.im, middle.im - difference.re};
    x[2] = {middle.re - difference.im, middle.im + difference.re};
}

template <Part input, class T>
__host__ __device__ void transform_4(DeviceComplex<T> (&x)[4]) {
    if constexpr (input == Part::lower_half) {
        const DeviceComplex<T> a = x[0];
        const DeviceComplex<T> b = x[1];
        x[0] = a + b;
        x[2] = a - b;
        x[1] = {a.re + b.im, a.im - b.re};
        x[3] = {a.re - b.im, a.im + b.re};
    } else {
        const DeviceComplex<T> a = x[0] + x[2];
        const DeviceComplex<T> b = x[0] - x[2];
        const DeviceComplex<T> c = x[1] + x[3];
        const DeviceComplex<T> d = x[1] - x[3];
        x[0] = a + c;
        x[2] = a - c;
        x[1] = {b.re + d.im, b.im - d.re};
        x[3] = {b.re - d.im, b.im + d.re};
    }
}

template <class T>
__host__ __device__ void transform_5(DeviceComplex<T> (&x)[5]) {
    constexpr T c1 = static_cast<T>(cosine_of_turn(1, 5));
    constexpr T c2 = static_cast<T>(cosine_of_turn(2, 5));
    constexpr T s1 = static_cast<T>(sine_of_turn(1, 5));
    constexpr T s2 = static_cast<T>(sine_of_turn(2, 5));
    const DeviceComplex<T> a = x[1] + x[4];
    const DeviceComplex<T> b = x[2] + x[3];
    const DeviceComplex<T> c = x[1] - x[4];
    const DeviceComplex<T> d = x[2] - x[3];
    const DeviceComplex<T> even_1 = x[0] + c1 * a + c2 * b;
    const DeviceComplex<T> even_2 = x[0] + c2 * a + c1 * b;
    const DeviceComplex<T> odd_1 = s1 * c + s2 * d;
    const DeviceComplex<T> odd_2 = s2 * c - s1 * d;
    x[0] = x[0] + a + b;
    x[1] = {even_1.re + odd_1.im, even_1.im - odd_1.re};
    x[4] = {even_1.re - odd_1.im, even_1.im + odd_1.re};
    x[2] = {even_2.re + odd_2.im, even_2.im - odd_2.re};
    x[3] = {even_2.re - odd_2.im, even_2.im + odd_2.re};
}

template <int R, Part input, class T>
__host__ __device__ void transform(DeviceComplex<T> (&x)[R]);

/// R = A B: transforms of length A over every B-th number, roots of unity, transforms of length B [Cooley 1965].
template <int A, int B, Part input, class T>
__host__ __device__ void transform_composite(DeviceComplex<T> (&x)[A * B]) {
    DeviceComplex<T> column[B][A];
    for_constants<B>([&](auto b) {
        for_constants<A>([&](auto a) { column[b()][a()] = x[B * a() + b()]; });
        transform<A, input>(column[b()]);
    });
    for_constants<A>([&](auto a) {
        DeviceComplex<T> row[B];
        for_constants<B>([&](auto b) { row[b()] = turned<a() * b(), A * B>(column[b()][a()]); });
        transform<B, Part::all>(row);
        for_constants<B>([&](auto b) { x[a() + A * b()] = row[b()]; });
    });
}

/// X[k] = sum_j x[j] exp(-i 2 pi j k / R), in place. Outputs that are not used cost nothing: the compiler drops them.
/// `input` says which x are not zero (lower_half for even R only).
template <int R, Part input, class T>
__host__ __device__ void transform(DeviceComplex<T> (&x)[R]) {
    static_assert(R % 2 == 0 || input == Part::all);
    if constexpr (R == 2 && input == Part::lower_half) {
        x[1] = x[0];
    } else if constexpr (R == 2) {
        const DeviceComplex<T> a = x[0];
        const DeviceComplex<T> b = x[1];
        x[0] = a + b;
        x[1] = a - b;
    } else if constexpr (R == 3) {
        transform_3(x);
    } else if constexpr (R == 4) {
        transform_4<input>(x);
    } else if constexpr (R == 5) {
        transform_5(x);
    } else if constexpr (R == 6) {
        transform_composite<2, 3, input>(x);
    } else if constexpr (R == 8) {
        transform_composite<4, 2, input>(x);
    } else if constexpr (R == 9) {
        transform_composite<3, 3, input>(x);
    } else if constexpr (R == 10) {
        transform_composite<2, 5, input>(x);
    } else if constexpr (R == 16) {
        transform_composite<4, 4, input>(x);
    } else {
        static_assert(R == 1);
    }
}

/// Numbers of one butterfly fill the registers of a thread: fewer in double precision.
template <class T>
constexpr int largest_radix = sizeof(T) == sizeof(float) ? 16 : 8;

/// Calls function(std::integral_constant<int, R>) for the radix R.
template <class T, class Function>
__host__ __device__ void with_radix(int radix, Function&& function) {
    if constexpr (largest_radix < T >> 8) {
        switch (radix) {
            case 9: return function(std::integral_constant<int, 9>{});
            case 10: return function(std::integral_constant<int, 10>{});
            case 16: return function(std::integral_constant<int, 16>{});
            default: break;
        }
    }
    switch (radix) {
        case 1: return function(std::integral_constant<int, 1>{});
        case 2: return function(std::integral_constant<int, 2>{});
        case 3: return function(std::integral_constant<int, 3>{});
        case 4: return function(std::integral_constant<int, 4>{});
        case 5: return function(std::integral_constant<int, 5>{});
        case 6: return function(std::integral_constant<int, 6>{});
        default: return function(std::integral_constant<int, 8>{});
    }
}

}  // namespace recon::butterfly
