#pragma once

#include "core/backend/cpu/simd/lanes.hpp"

namespace recon::butterfly {

/// Which of the R numbers of a butterfly exist: all, or the lower half (the others are zero, or not wanted).
enum class Part { all, lower_half };

template <class T>
[[gnu::always_inline]] inline void transform_4(ComplexLanes<T>& x0, ComplexLanes<T>& x1, ComplexLanes<T>& x2,
                                               ComplexLanes<T>& x3) {
    const ComplexLanes<T> a = x0 + x2, b = x0 - x2, c = x1 + x3, d = x1 - x3;
    x0 = a + c;
    x2 = a - c;
    x1 = {b.re + d.im, b.im - d.re};
    x3 = {b.re - d.im, b.im + d.re};
}

/// The same for x2 = x3 = 0.
template <class T>
[[gnu::always_inline]] inline void transform_4_of_2(ComplexLanes<T>& x0, ComplexLanes<T>& x1, ComplexLanes<T>& x2,
                                                    ComplexLanes<T>& x3) {
    const ComplexLanes<T> a = x0, b = x1;
    x0 = a + b;
    x2 = a - b;
    x1 = {a.re + b.im, a.im - b.re};
    x3 = {a.re - b.im, a.im + b.re};
}

template <Part input, Part output, class T>
[[gnu::always_inline]] inline void transform_2(ComplexLanes<T> (&x)[2]) {
    if constexpr (input == Part::lower_half) {
        x[1] = x[0];
    } else if constexpr (output == Part::lower_half) {
        x[0] = x[0] + x[1];
    } else {
        const ComplexLanes<T> a = x[0], b = x[1];
        x[0] = a + b;
        x[1] = a - b;
    }
}

template <class T>
[[gnu::always_inline]] inline void transform_3(ComplexLanes<T> (&x)[3]) {
    constexpr T sine = static_cast<T>(0.866025403784438646763723170752936183L);  // sin(pi / 3)
    const ComplexLanes<T> sum = x[1] + x[2];
    const ComplexLanes<T> difference = (x[1] - x[2]) * sine;
    const ComplexLanes<T> middle = x[0] - sum * T(0.5);
    x[0] = x[0] + sum;
    x[1] = {middle.re + difference.im, middle.im - difference.re};
    x[2] = {middle.re - difference.im, middle.im + difference.re};
}

template <class T>
[[gnu::always_inline]] inline void transform_5(ComplexLanes<T> (&x)[5]) {
    constexpr T c1 = static_cast<T>(0.309016994374947424102293417182819059L);   // cos(2 pi / 5)
    constexpr T c2 = static_cast<T>(-0.809016994374947424102293417182819059L);  // cos(4 pi / 5)
    constexpr T s1 = static_cast<T>(0.951056516295153572116439333379382143L);   // sin(2 pi / 5)
    constexpr T s2 = static_cast<T>(0.587785252292473129168705954639072769L);   // sin(4 pi / 5)
    const ComplexLanes<T> a = x[1] + x[4], b = x[2] + x[3], c = x[1] - x[4], d = x[2] - x[3];
    const ComplexLanes<T> even_1 = x[0] + a * c1 + b * c2, even_2 = x[0] + a * c2 + b * c1;
    const ComplexLanes<T> odd_1 = c * s1 + d * s2, odd_2 = c * s2 - d * s1;
    x[0] = x[0] + a + b;
    x[1] = {even_1.re + odd_1.im, even_1.im - odd_1.re};
    x[4] = {even_1.re - odd_1.im, even_1.im + odd_1.re};
    x[2] = {even_2.re + odd_2.im, even_2.im - odd_2.re};
    x[3] = {even_2.re - odd_2.im, even_2.im + odd_2.re};
}

/// By decimation in frequency where the upper inputs are zero, in time otherwise.
template <Part input, Part output, class T>
[[gnu::always_inline]] inline void transform_8(ComplexLanes<T> (&x)[8]) {
    constexpr T h = static_cast<T>(0.707106781186547524400844362104849039L);  // sqrt(1/2)
    if constexpr (input == Part::lower_half) {
        ComplexLanes<T> a0 = x[0], a1 = x[1], a2 = x[2], a3 = x[3];
        ComplexLanes<T> b0 = a0;
        ComplexLanes<T> b1 = {(a1.re + a1.im) * h, (a1.im - a1.re) * h};
        ComplexLanes<T> b2 = minus_i_times(a2);
        ComplexLanes<T> b3 = {(a3.im - a3.re) * h, -(a3.re + a3.im) * h};
        transform_4(a0, a1, a2, a3);
        transform_4(b0, b1, b2, b3);
        x[0] = a0, x[2] = a1, x[4] = a2, x[6] = a3;
        x[1] = b0, x[3] = b1, x[5] = b2, x[7] = b3;
    } else {
        ComplexLanes<T> e0 = x[0], e1 = x[2], e2 = x[4], e3 = x[6];
        ComplexLanes<T> o0 = x[1], o1 = x[3], o2 = x[5], o3 = x[7];
        transform_4(e0, e1, e2, e3);
        transform_4(o0, o1, o2, o3);
        const Lanes<T> p1 = o1.re + o1.im, m1 = o1.im - o1.re, p3 = o3.re + o3.im, m3 = o3.im - o3.re;
        x[0] = e0 + o0;
        x[1] = {e1.re + h * p1, e1.im + h * m1};
        x[2] = {e2.re + o2.im, e2.im - o2.re};
        x[3] = {e3.re + h * m3, e3.im - h * p3};
        if constexpr (output == Part::all) {
            x[4] = e0 - o0;
            x[5] = {e1.re - h * p1, e1.im - h * m1};
            x[6] = {e2.re - o2.im, e2.im + o2.re};
            x[7] = {e3.re - h * m3, e3.im + h * p3};
        }
    }
}

/// X[k] = sum_j x[j] exp(-i 2 pi j k / R), in place, for R = 2, 3, 4, 5, 8.
/// `input` says which x are not zero, `output` which X are computed (halves for even R only).
template <int R, Part input, Part output, class T>
[[gnu::always_inline]] inline void transform(ComplexLanes<T> (&x)[R]) {
    static_assert(R % 2 == 0 || (input == Part::all && output == Part::all));
    if constexpr (R == 2) {
        transform_2<input, output>(x);
    } else if constexpr (R == 3) {
        transform_3(x);
    } else if constexpr (R == 4 && input == Part::lower_half) {
        transform_4_of_2(x[0], x[1], x[2], x[3]);
    } else if constexpr (R == 4) {
        transform_4(x[0], x[1], x[2], x[3]);  // the compiler drops the outputs that are not stored
    } else if constexpr (R == 5) {
        transform_5(x);
    } else {
        static_assert(R == 8);
        transform_8<input, output>(x);
    }
}

}  // namespace recon::butterfly
