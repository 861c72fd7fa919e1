#include "core/cpu/gridding_loops.hpp"

#include <array>
#include <cstring>
#include <utility>

namespace recon {
namespace {

/// N numbers in vector registers, by the vector extensions of GCC and Clang.
template <class T, int N>
struct VectorOf {
    typedef T Type __attribute__((vector_size(N * sizeof(T))));
};
template <class T, int N>
using Vector = typename VectorOf<T, N>::Type;

template <class V>
V load(const void* from) {
    V v;
    std::memcpy(&v, from, sizeof(V));
    return v;
}

template <class V>
void store(void* to, V v) {
    std::memcpy(to, &v, sizeof(V));
}

template <class T, int N, std::size_t... i>
Vector<T, N / 2> sum_of_halves(Vector<T, N> v, std::index_sequence<i...>) {
    return __builtin_shufflevector(v, v, i...) + __builtin_shufflevector(v, v, (i + N / 2)...);
}

/// Real parts are at even places, imaginary parts at odd ones.
template <class T, int N>
std::complex<T> sum_of_pairs(Vector<T, N> v) {
    if constexpr (N == 2) {
        return {v[0], v[1]};
    } else {
        return sum_of_pairs<T, N / 2>(sum_of_halves<T, N>(v, std::make_index_sequence<N / 2>{}));
    }
}

/// A run of numbers as full registers of 64 bytes and perhaps one of 32 at the end. (A compiler for narrower registers
/// splits them.)
template <class T, int Numbers>
struct Run {
    static constexpr int wide = 64 / sizeof(T);
    static constexpr int narrow = 32 / sizeof(T);
    static constexpr bool has_tail = Numbers % wide != 0 && Numbers % wide <= narrow;
    static constexpr int wide_count = Numbers / wide + (Numbers % wide > narrow ? 1 : 0);
    static constexpr int length = wide_count * wide + (has_tail ? narrow : 0);

    std::array<Vector<T, wide>, wide_count + (wide_count == 0)> head;
    Vector<T, narrow> tail;

    static Run zero() { return Run{}; }

    [[gnu::always_inline]] static Run from(const T* data) {
        Run run;
        for (int i = 0; i < wide_count; ++i) {
            run.head[i] = load<Vector<T, wide>>(data + i * wide);
        }
        if constexpr (has_tail) {
            run.tail = load<Vector<T, narrow>>(data + wide_count * wide);
        }
        return run;
    }

    [[gnu::always_inline]] void to(T* data) const {
        for (int i = 0; i < wide_count; ++i) {
            store(data + i * wide, head[i]);
        }
        if constexpr (has_tail) {
            store(data + wide_count * wide, tail);
        }
    }

    /// this = this * factor + addend
    [[gnu::always_inline]] void multiply_add(T factor, const Run& addend) {
        for (int i = 0; i < wide_count; ++i) {
            head[i] = head[i] * factor + addend.head[i];
        }
        if constexpr (has_tail) {
            tail = tail * factor + addend.tail;
        }
    }

    /// this += run * factor
    [[gnu::always_inline]] void add_multiple(const Run& run, T factor) {
        for (int i = 0; i < wide_count; ++i) {
            head[i] += run.head[i] * factor;
        }
        if constexpr (has_tail) {
            tail += run.tail * factor;
        }
    }

    [[gnu::always_inline]] Run times(T factor) const {
        Run run;
        for (int i = 0; i < wide_count; ++i) {
            run.head[i] = head[i] * factor;
        }
        if constexpr (has_tail) {
            run.tail = tail * factor;
        }
        return run;
    }

    /// Real weights, each twice, times one complex value.
    [[gnu::always_inline]] Run times_pairs(std::complex<T> value) const {
        Run run;
        for (int i = 0; i < wide_count; ++i) {
            run.head[i] = head[i] * pairs<wide>(value);
        }
        if constexpr (has_tail) {
            run.tail = tail * pairs<narrow>(value);
        }
        return run;
    }

    [[gnu::always_inline]] std::complex<T> dot_pairs(const Run& weights) const {
        std::complex<T> sum = 0;
        if constexpr (wide_count > 0) {
            Vector<T, wide> products = head[0] * weights.head[0];
            for (int i = 1; i < wide_count; ++i) {
                products += head[i] * weights.head[i];
            }
            if constexpr (has_tail) {
                Vector<T, narrow> folded =
                    sum_of_halves<T, wide>(products, std::make_index_sequence<narrow>{}) + tail * weights.tail;
                sum = sum_of_pairs<T, narrow>(folded);
            } else {
                sum = sum_of_pairs<T, wide>(products);
            }
        } else {
            sum = sum_of_pairs<T, narrow>(tail * weights.tail);
        }
        return sum;
    }

private:
    template <int N>
    static Vector<T, N> pairs(std::complex<T> value) {
        Vector<T, N> v;
        for (int i = 0; i < N; i += 2) {
            v[i] = value.real();
            v[i + 1] = value.imag();
        }
        return v;
    }
};

template <class T, int Width, int AxisCount>
struct Loops {
    using Row = Run<T, 2 * Width>;
    using Axis = Run<T, Width>;
    using Sample = typename GriddingTiles<T>::Sample;

    static constexpr Index record_length = (Row::length + (AxisCount - 1) * Axis::length + 15) / 16 * 16;
    static constexpr int y_count = AxisCount > 1 ? Width : 1;
    static constexpr int z_count = AxisCount > 2 ? Width : 1;

    static const T* y_weights(const T* record) { return record + Row::length; }
    static const T* z_weights(const T* record) { return record + Row::length + Axis::length; }

    template <class Points>
    [[gnu::always_inline]] static void horner(int degree, const T* coefficients, T t, T* weights) {
        Points sum = Points::from(coefficients + degree * Points::length);
        for (int power = degree - 1; power >= 0; --power) {
            sum.multiply_add(t, Points::from(coefficients + power * Points::length));
        }
        sum.to(weights);
    }

    static void make_records(int degree, const T* row_coefficients, const T* axis_coefficients, const Sample* samples,
                             Index count, T* records) {
        for (Index m = 0; m < count; ++m) {
            T* record = records + m * record_length;
            horner<Row>(degree, row_coefficients, samples[m].polynomial_t[0], record);
            for (int axis = 1; axis < AxisCount; ++axis) {
                horner<Axis>(degree, axis_coefficients, samples[m].polynomial_t[axis],
                             record + Row::length + (axis - 1) * Axis::length);
            }
        }
    }

    static void spread(const T* records, const Sample* samples, const std::complex<T>* values, Index count,
                       const Index* local_strides, std::complex<T>* local) {
        for (Index m = 0; m < count; ++m) {
            const T* record = records + m * record_length;
            const Row x = Row::from(record).times_pairs(values[m]);
            T* first = reinterpret_cast<T*>(local + samples[m].local_offset);
#pragma GCC unroll 1
            for (int z = 0; z < z_count; ++z) {
                const Row zx = AxisCount > 2 ? x.times(z_weights(record)[z]) : x;
                T* plane = first + (AxisCount > 2 ? 2 * z * local_strides[1] : 0);
#pragma GCC unroll 16
                for (int y = 0; y < y_count; ++y) {
                    T* cells = plane + (AxisCount > 1 ? 2 * y * local_strides[0] : 0);
                    Row row = Row::from(cells);
                    row.add_multiple(zx, AxisCount > 1 ? y_weights(record)[y] : T{1});
                    row.to(cells);
                }
            }
        }
    }

    static void interpolate(const T* records, const Sample* samples, Index count, const Index* local_strides,
                            const std::complex<T>* local, std::complex<T>* values) {
        for (Index m = 0; m < count; ++m) {
            const T* record = records + m * record_length;
            const T* first = reinterpret_cast<const T*>(local + samples[m].local_offset);
            Row sum = Row::zero();
#pragma GCC unroll 1
            for (int z = 0; z < z_count; ++z) {
                const T* plane = first + (AxisCount > 2 ? 2 * z * local_strides[1] : 0);
                Row plane_sum = Row::zero();
#pragma GCC unroll 16
                for (int y = 0; y < y_count; ++y) {
                    const T* cells = plane + (AxisCount > 1 ? 2 * y * local_strides[0] : 0);
                    plane_sum.add_multiple(Row::from(cells), AxisCount > 1 ? y_weights(record)[y] : T{1});
                }
                sum.add_multiple(plane_sum, AxisCount > 2 ? z_weights(record)[z] : T{1});
            }
            values[m] = sum.dot_pairs(Row::from(record));
        }
    }

    static constexpr GriddingLoops<T> table() {
        return {Row::length, Axis::length, record_length, &make_records, &spread, &interpolate};
    }
};

constexpr int width_count = GriddingKernel::max_width - GriddingKernel::min_width + 1;

template <class T, int... i>
constexpr std::array<std::array<GriddingLoops<T>, 3>, width_count> all_loops(std::integer_sequence<int, i...>) {
    constexpr int first = GriddingKernel::min_width;
    return {{{Loops<T, first + i, 1>::table(), Loops<T, first + i, 2>::table(), Loops<T, first + i, 3>::table()}...}};
}

}  // namespace

template <class T>
const GriddingLoops<T>& GriddingLoops<T>::of(int width, int axis_count) {
    static constexpr auto loops = all_loops<T>(std::make_integer_sequence<int, width_count>{});
    return loops.at(width - GriddingKernel::min_width).at(axis_count - 1);
}

template struct GriddingLoops<float>;
template struct GriddingLoops<double>;

}  // namespace recon
