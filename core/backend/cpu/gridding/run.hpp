#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <utility>

namespace recon {
namespace run_detail {

/// N numbers in vector registers, by the vector extensions of GCC and Clang.
template <class T, int N>
struct VectorOf {
    typedef T Type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, int N>
using Vector = typename VectorOf<T, N>::Type;

template <class V>
[[gnu::always_inline]] inline V load(const void* from) {
    V v;
    std::memcpy(&v, from, sizeof(V));
    return v;
}

template <class V>
[[gnu::always_inline]] inline void store(void* to, V v) {
    std::memcpy(to, &v, sizeof(V));
}

template <class T, int N, std::size_t... i>
[[gnu::always_inline]] inline Vector<T, N / 2> sum_of_halves(Vector<T, N> v, std::index_sequence<i...>) {
    return __builtin_shufflevector(v, v, i...) + __builtin_shufflevector(v, v, (i + N / 2)...);
}

/// Real parts are at even places, imaginary parts at odd ones.
template <class T, int N>
[[gnu::always_inline]] inline std::complex<T> sum_of_pairs(Vector<T, N> v) {
    if constexpr (N == 2) {
        return {v[0], v[1]};
    } else {
        return sum_of_pairs<T, N / 2>(sum_of_halves<T, N>(v, std::make_index_sequence<N / 2>{}));
    }
}

/// The real and imaginary part again and again. (Written so that it stays in registers: GCC widens a pair step by step
/// there, and at once by way of memory.)
template <class T, int N, std::size_t... i>
[[gnu::always_inline]] inline Vector<T, N> repeat_pair(std::complex<T> value, std::index_sequence<i...>) {
    if constexpr (sizeof(T) == sizeof(float)) {
        const auto bits = load<std::int64_t>(&value);
        return (Vector<T, N>)(Vector<std::int64_t, N / 2>{} + bits);
    } else if constexpr (N > 4) {
        const auto half = repeat_pair<T, N / 2>(value, std::make_index_sequence<N / 2>{});
        return __builtin_shufflevector(half, half, (i % (N / 2))...);
    } else {
        const auto pair = load<Vector<T, 2>>(&value);
        return __builtin_shufflevector(pair, pair, (i % 2)...);
    }
}

}  // namespace run_detail

/// At least `Numbers` numbers in vector registers of `Bytes` bytes.
template <class T, int Bytes, int Numbers>
struct Run {
    static constexpr int lanes = Bytes / sizeof(T);
    static constexpr int count = (Numbers + lanes - 1) / lanes;
    static constexpr int length = count * lanes;

    std::array<run_detail::Vector<T, lanes>, count> part;

    [[gnu::always_inline]] static Run zero() { return Run{}; }

    [[gnu::always_inline]] static Run from(const T* data) {
        Run run;
        for (int i = 0; i < count; ++i) {
            run.part[i] = run_detail::load<run_detail::Vector<T, lanes>>(data + i * lanes);
        }
        return run;
    }

    [[gnu::always_inline]] void to(T* data) const {
        for (int i = 0; i < count; ++i) {
            run_detail::store(data + i * lanes, part[i]);
        }
    }

    /// this = this * factor + addend
    [[gnu::always_inline]] void multiply_add(T factor, const Run& addend) {
        for (int i = 0; i < count; ++i) {
            part[i] = part[i] * factor + addend.part[i];
        }
    }

    using Part = run_detail::Vector<T, lanes>;

    [[gnu::always_inline]] static Part repeat(T value) { return value - Part{}; }

    /// this += run * factor, the factor in every place
    [[gnu::always_inline]] void add_multiple(const Run& run, Part factor) {
        for (int i = 0; i < count; ++i) {
            part[i] += run.part[i] * factor;
        }
    }

    [[gnu::always_inline]] Run times(T factor) const {
        Run run;
        for (int i = 0; i < count; ++i) {
            run.part[i] = part[i] * factor;
        }
        return run;
    }

    /// Real weights, each twice, times one complex value.
    [[gnu::always_inline]] Run times_pairs(std::complex<T> value) const {
        const run_detail::Vector<T, lanes> pairs =
            run_detail::repeat_pair<T, lanes>(value, std::make_index_sequence<lanes>{});
        Run run;
        for (int i = 0; i < count; ++i) {
            run.part[i] = part[i] * pairs;
        }
        return run;
    }

    [[gnu::always_inline]] std::complex<T> dot_pairs(const Run& weights) const {
        run_detail::Vector<T, lanes> products = part[0] * weights.part[0];
        for (int i = 1; i < count; ++i) {
            products += part[i] * weights.part[i];
        }
        return run_detail::sum_of_pairs<T, lanes>(products);
    }
};

}  // namespace recon
