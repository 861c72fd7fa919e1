#pragma once

#include <complex>

#include "core/backend/cpu/simd/lanes.hpp"

namespace recon {
namespace dot_detail {

inline constexpr int width = lane_count<double>;

template <class T>
struct Part {
    typedef T type __attribute__((vector_size(width * sizeof(T)), aligned(alignof(T)), may_alias));
};

/// Numbers of T, two a complex number, in double.
template <class T>
[[gnu::always_inline]] inline Lanes<double> in_double(const T* from) {
    return __builtin_convertvector(*reinterpret_cast<const typename Part<T>::type*>(from), Lanes<double>);
}

template <std::size_t... l>
[[gnu::always_inline]] inline Lanes<double> pairs_swapped(Lanes<double> a, std::index_sequence<l...>) {
    return __builtin_shufflevector(a, a, (int(l) ^ 1)...);
}

}  // namespace dot_detail

/// sum_i conj(x[i]) y[i], products and sums in double: as the processor reads memory.
template <class T>
inline cdouble complex_dot(const std::complex<T>* x, const std::complex<T>* y, Index count) {
    using namespace dot_detail;
    constexpr int unrolled = 4;
    constexpr Index at_once = unrolled * width / 2;
    const T* const a = reinterpret_cast<const T*>(x);
    const T* const b = reinterpret_cast<const T*>(y);
    Lanes<double> same[unrolled] = {}, crossed[unrolled] = {};  // re re, im im, ...; re im, im re, ...
    Index i = 0;
    for (; i + at_once <= count; i += at_once) {
#pragma GCC unroll 4
        for (int u = 0; u < unrolled; ++u) {
            const Lanes<double> of_a = in_double(a + 2 * i + u * width), of_b = in_double(b + 2 * i + u * width);
            same[u] += of_a * of_b;
            crossed[u] += of_a * pairs_swapped(of_b, std::make_index_sequence<width>{});
        }
    }
    double real = 0, imaginary = 0;
    for (int u = 0; u < unrolled; ++u) {
        for (int l = 0; l < width; l += 2) {
            real += same[u][l] + same[u][l + 1];
            imaginary += crossed[u][l] - crossed[u][l + 1];
        }
    }
    for (; i < count; ++i) {
        const cdouble product = std::conj(cdouble(x[i])) * cdouble(y[i]);
        real += product.real();
        imaginary += product.imag();
    }
    return {real, imaginary};
}

}  // namespace recon
