#pragma once

#include <utility>

#include "core/backend/cpu/simd/lanes.hpp"

namespace recon::simd {

using recon::lane_count;

template <class T>
struct PackOf {
    using Type [[gnu::vector_size(register_bytes)]] = T;
    using Part [[gnu::vector_size(lane_count<double> * sizeof(T))]] = T;  ///< that fills a register in double
};
template <class T>
using Pack = typename PackOf<T>::Type;

template <class T>
const Pack<T>& load(const T* aligned) {
    return *reinterpret_cast<const Pack<T>*>(aligned);
}
template <class T>
Pack<T>& at(T* aligned) {
    return *reinterpret_cast<Pack<T>*>(aligned);
}

template <class T, int first, int... lanes>
[[gnu::always_inline]] inline void promote_part(const Pack<T>& values, double* sums,
                                                std::integer_sequence<int, lanes...>) {
    const typename PackOf<T>::Part part = __builtin_shufflevector(values, values, (first + lanes)...);
    at(sums + first) += __builtin_convertvector(part, Pack<double>);
}

/// sums += values, in double, a register at a time: of larger vectors compilers make detours through memory.
template <class T>
[[gnu::always_inline]] inline void promote(const Pack<T>& values, double* sums) {
    constexpr auto lanes = std::make_integer_sequence<int, lane_count<double>>{};
    promote_part<T, 0>(values, sums, lanes);
    if constexpr (sizeof(T) < sizeof(double)) {
        promote_part<T, lane_count<double>>(values, sums, lanes);
    }
}

/// Columns of the product that stay in registers: two accumulators each, of 32 registers (AVX-512) or 16.
inline constexpr int most_columns = register_bytes == 64 ? 12 : 6;

/// The inner product of every sum here: C[r, c] = sum_d A[r, d] B[d, c] for one pack of complex rows and `columns` real
/// columns, in registers throughout.
/// @param a       [depth][real lanes, imaginary lanes], aligned to a pack
/// @param b       [depth][columns]
/// @param finish  called as finish(column, real pack, imaginary pack)
template <int columns, class T, class Finish>
[[gnu::always_inline]] inline void product(Index depth, const T* a, const T* b, Finish&& finish) {
    constexpr int lanes = lane_count<T>;
    Pack<T> real[columns] = {};
    Pack<T> imaginary[columns] = {};
    for (Index d = 0; d < depth; ++d) {
        const Pack<T> a_real = load(a);
        const Pack<T> a_imaginary = load(a + lanes);
#pragma GCC unroll 12
        for (int c = 0; c < columns; ++c) {
            real[c] += a_real * b[c];
            imaginary[c] += a_imaginary * b[c];
        }
        a += 2 * lanes;
        b += columns;
    }
#pragma GCC unroll 12
    for (int c = 0; c < columns; ++c) {
        finish(c, real[c], imaginary[c]);
    }
}

}  // namespace recon::simd
