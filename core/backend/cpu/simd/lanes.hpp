#pragma once

#if defined(__AVX__)
#include <immintrin.h>
#endif

#include <cstring>
#include <utility>

#include "core/base/types.hpp"

namespace recon {

/// Bytes of one vector register of the processor that is compiled for, and what people call them.
#if defined(__AVX512F__)
inline constexpr int register_bytes = 64;
inline constexpr const char* vector_unit = "AVX-512";
#elif defined(__AVX__)
inline constexpr int register_bytes = 32;
inline constexpr const char* vector_unit = "AVX2";
#else
inline constexpr int register_bytes = 16;
inline constexpr const char* vector_unit = "vectors of 16 bytes";
#endif

template <class T>
inline constexpr int lane_count = register_bytes / static_cast<int>(sizeof(T));

template <class T>
struct LaneVector {
    typedef T type __attribute__((vector_size(register_bytes)));
    typedef T anywhere __attribute__((vector_size(register_bytes), aligned(alignof(T)), may_alias));
};
/// One real number for each of `lane_count` pencils.
template <class T>
using Lanes = typename LaneVector<T>::type;

/// One complex number for each of `lane_count` pencils, real and imaginary parts apart: arithmetic needs no shuffles.
/// Copied register by register: a compiler copies plain structures in pieces of 16 bytes where it is told of no
/// processor in particular, and a processor waits that reads a whole register out of such pieces.
template <class T>
struct ComplexLanes {
    Lanes<T> re;
    Lanes<T> im;

    ComplexLanes() = default;
    [[gnu::always_inline]] ComplexLanes(Lanes<T> real, Lanes<T> imaginary) : re(real), im(imaginary) {}
    [[gnu::always_inline]] ComplexLanes(const ComplexLanes& other) : re(other.re), im(other.im) {}
    [[gnu::always_inline]] ComplexLanes& operator=(const ComplexLanes& other) {
        re = other.re;
        im = other.im;
        return *this;
    }
};

template <class T>
[[gnu::always_inline]] inline ComplexLanes<T> operator+(ComplexLanes<T> a, ComplexLanes<T> b) {
    return {a.re + b.re, a.im + b.im};
}
template <class T>
[[gnu::always_inline]] inline ComplexLanes<T> operator-(ComplexLanes<T> a, ComplexLanes<T> b) {
    return {a.re - b.re, a.im - b.im};
}
template <class T>
[[gnu::always_inline]] inline ComplexLanes<T> operator*(ComplexLanes<T> a, T scale) {
    return {a.re * scale, a.im * scale};
}
template <class T>
[[gnu::always_inline]] inline ComplexLanes<T> operator*(ComplexLanes<T> a, std::complex<T> w) {
    return {a.re * w.real() - a.im * w.imag(), a.re * w.imag() + a.im * w.real()};
}
template <class T>
[[gnu::always_inline]] inline ComplexLanes<T> operator*(ComplexLanes<T> a, ComplexLanes<T> b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
template <class T>
[[gnu::always_inline]] inline ComplexLanes<T> minus_i_times(ComplexLanes<T> a) {
    return {a.im, -a.re};
}
template <class T>
[[gnu::always_inline]] inline ComplexLanes<T> conjugate(ComplexLanes<T> a) {
    return {a.re, -a.im};
}
/// swap(z) = i conj(z): a forward transform between two swaps is an inverse transform, at no cost.
template <class T>
[[gnu::always_inline]] inline ComplexLanes<T> swapped(ComplexLanes<T> a) {
    return {a.im, a.re};
}

/// Writes whole cache lines past the caches, for numbers that are next read after the cache has forgotten them: the
/// line need not be read first. Visible to other threads after finish_streams().
template <class T>
[[gnu::always_inline]] inline void stream(ComplexLanes<T> value, ComplexLanes<T>* to) {
#if defined(__AVX512F__)
    _mm512_stream_ps(reinterpret_cast<float*>(&to->re), reinterpret_cast<__m512>(value.re));
    _mm512_stream_ps(reinterpret_cast<float*>(&to->im), reinterpret_cast<__m512>(value.im));
#elif defined(__AVX__)
    _mm256_stream_ps(reinterpret_cast<float*>(&to->re), reinterpret_cast<__m256>(value.re));
    _mm256_stream_ps(reinterpret_cast<float*>(&to->im), reinterpret_cast<__m256>(value.im));
#else
    *to = value;
#endif
}
inline void finish_streams() {
#if defined(__AVX__)
    _mm_sfence();
#endif
}

namespace lanes_detail {

template <class T, int step, std::size_t... l>
[[gnu::always_inline]] inline void exchange(Lanes<T>& a, Lanes<T>& b, std::index_sequence<l...>) {
    constexpr int n = lane_count<T>;
    const Lanes<T> low = __builtin_shufflevector(a, b, ((l & step) ? n + int(l) - step : int(l))...);
    const Lanes<T> high = __builtin_shufflevector(a, b, ((l & step) ? n + int(l) : int(l) + step)...);
    a = low;
    b = high;
}

template <class T, int step>
[[gnu::always_inline]] inline void transpose_from(Lanes<T>* rows) {
    if constexpr (step < lane_count<T>) {
#pragma GCC unroll 16
        for (int i = 0; i < lane_count<T>; ++i) {
            if ((i & step) == 0) {
                exchange<T, step>(rows[i], rows[i + step], std::make_index_sequence<lane_count<T>>{});
            }
        }
        transpose_from<T, 2 * step>(rows);
    }
}

template <class T, std::size_t... l>
[[gnu::always_inline]] inline ComplexLanes<T> deinterleaved(Lanes<T> a, Lanes<T> b, std::index_sequence<l...>) {
    return {__builtin_shufflevector(a, b, (2 * int(l))...), __builtin_shufflevector(a, b, (2 * int(l) + 1)...)};
}

template <class T, std::size_t... l>
[[gnu::always_inline]] inline Lanes<T> interleaved_low(ComplexLanes<T> z, std::index_sequence<l...>) {
    constexpr int n = lane_count<T>;
    return __builtin_shufflevector(z.re, z.im, (int(l) / 2 + int(l % 2) * n)...);
}
template <class T, std::size_t... l>
[[gnu::always_inline]] inline Lanes<T> interleaved_high(ComplexLanes<T> z, std::index_sequence<l...>) {
    constexpr int n = lane_count<T>;
    return __builtin_shufflevector(z.re, z.im, (n / 2 + int(l) / 2 + int(l % 2) * n)...);
}

}  // namespace lanes_detail

/// Transposes a square of lane_count x lane_count numbers: rows[i][j] <-> rows[j][i].
template <class T>
[[gnu::always_inline]] inline void transpose(Lanes<T> (&rows)[lane_count<T>]) {
    lanes_detail::transpose_from<T, 1>(rows);
}

/// `lane_count` consecutive complex numbers of ordinary memory.
template <class T>
[[gnu::always_inline]] inline ComplexLanes<T> load(const std::complex<T>* from) {
    const auto* const halves = reinterpret_cast<const typename LaneVector<T>::anywhere*>(from);
    return lanes_detail::deinterleaved<T>(halves[0], halves[1], std::make_index_sequence<lane_count<T>>{});
}
template <class T>
[[gnu::always_inline]] inline void store(ComplexLanes<T> z, std::complex<T>* to) {
    constexpr auto lanes = std::make_index_sequence<lane_count<T>>{};
    auto* const halves = reinterpret_cast<typename LaneVector<T>::anywhere*>(to);
    halves[0] = lanes_detail::interleaved_low<T>(z, lanes);
    halves[1] = lanes_detail::interleaved_high<T>(z, lanes);
}

/// The first `count` of them; the other lanes are zero.
template <class T>
inline ComplexLanes<T> load(const std::complex<T>* from, Index count) {
    if (count >= lane_count<T>) {
        return load(from);
    }
    std::complex<T> padded[lane_count<T>]{};
    std::memcpy(padded, from, count * sizeof(std::complex<T>));
    return load<T>(padded);
}
template <class T>
inline void store(ComplexLanes<T> z, std::complex<T>* to, Index count) {
    if (count >= lane_count<T>) {
        return store(z, to);
    }
    std::complex<T> padded[lane_count<T>];
    store(z, padded);
    std::memcpy(to, padded, count * sizeof(std::complex<T>));
}

}  // namespace recon
