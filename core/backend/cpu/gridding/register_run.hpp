#pragma once

#include <array>
#include <complex>
#include <cstdint>
#include <cstring>
#include <utility>

namespace recon {
namespace register_run_detail {

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

}  // namespace register_run_detail

/// At least `Numbers` numbers in vector registers of `Bytes` bytes.
template <class T, int Bytes, int Numbers>
struct RegisterRun {
    static constexpr int lanes = Bytes / sizeof(T);
    static constexpr int count = (Numbers + lanes - 1) / lanes;
    static constexpr int length = count * lanes;

    std::array<register_run_detail::Vector<T, lanes>, count> part;

    [[gnu::always_inline]] static RegisterRun zero() { return RegisterRun{}; }

    [[gnu::always_inline]] static RegisterRun from(const T* data) {
        RegisterRun run;
        for (int i = 0; i < count; ++i) {
            run.part[i] = register_run_detail::load<register_run_detail::Vector<T, lanes>>(data + i * lanes);
        }
        return run;
    }

    [[gnu::always_inline]] void to(T* data) const {
        for (int i = 0; i < count; ++i) {
            register_run_detail::store(data + i * lanes, part[i]);
        }
    }

    /// this = this * factor + addend
    [[gnu::always_inline]] void multiply_add(T factor, const RegisterRun& addend) {
        for (int i = 0; i < count; ++i) {
            part[i] = part[i] * factor + addend.part[i];
        }
    }

    using Part = register_run_detail::Vector<T, lanes>;

    [[gnu::always_inline]] static Part repeat(T value) { return value - Part{}; }

    /// this += run * factor, the factor in every place
    [[gnu::always_inline]] void add_multiple(const RegisterRun& run, Part factor) {
        for (int i = 0; i < count; ++i) {
            part[i] += run.part[i] * factor;
        }
    }

    [[gnu::always_inline]] RegisterRun times(T factor) const {
        RegisterRun run;
        for (int i = 0; i < count; ++i) {
            run.part[i] = part[i] * factor;
        }
        return run;
    }

    /// Real weights, each twice, times one complex value.
    [[gnu::always_inline]] RegisterRun times_pairs(std::complex<T> value) const {
        const register_run_detail::Vector<T, lanes> pairs =
            register_run_detail::repeat_pair<T, lanes>(value, std::make_index_sequence<lanes>{});
        RegisterRun run;
        for (int i = 0; i < count; ++i) {
            run.part[i] = part[i] * pairs;
        }
        return run;
    }

    [[gnu::always_inline]] std::complex<T> dot_pairs(const RegisterRun& weights) const {
        register_run_detail::Vector<T, lanes> products = part[0] * weights.part[0];
        for (int i = 1; i < count; ++i) {
            products += part[i] * weights.part[i];
        }
        return register_run_detail::sum_of_pairs<T, lanes>(products);
    }
};

}  // namespace recon
