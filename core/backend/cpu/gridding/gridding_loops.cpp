#include "core/backend/cpu/gridding/gridding_loops.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <utility>

#include "core/backend/cpu/simd/lanes.hpp"

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

/// The real and imaginary part again and again. (Written so that it stays in registers.)
template <class T, int N, std::size_t... i>
[[gnu::always_inline]] inline Vector<T, N> repeat_pair(std::complex<T> value, std::index_sequence<i...>) {
    if constexpr (sizeof(T) == sizeof(float)) {
        const auto bits = load<std::int64_t>(&value);
        return (Vector<T, N>)(Vector<std::int64_t, N / 2>{} + bits);
    } else {
        const auto pair = load<Vector<T, 2>>(&value);
        return __builtin_shufflevector(pair, pair, (i % 2)...);
    }
}

/// At least `Numbers` numbers in vector registers of `Bytes` bytes.
template <class T, int Bytes, int Numbers>
struct Run {
    static constexpr int lanes = Bytes / sizeof(T);
    static constexpr int count = (Numbers + lanes - 1) / lanes;
    static constexpr int length = count * lanes;

    std::array<Vector<T, lanes>, count> part;

    [[gnu::always_inline]] static Run zero() { return Run{}; }

    [[gnu::always_inline]] static Run from(const T* data) {
        Run run;
        for (int i = 0; i < count; ++i) {
            run.part[i] = load<Vector<T, lanes>>(data + i * lanes);
        }
        return run;
    }

    [[gnu::always_inline]] void to(T* data) const {
        for (int i = 0; i < count; ++i) {
            store(data + i * lanes, part[i]);
        }
    }

    /// this = this * factor + addend
    [[gnu::always_inline]] void multiply_add(T factor, const Run& addend) {
        for (int i = 0; i < count; ++i) {
            part[i] = part[i] * factor + addend.part[i];
        }
    }

    using Part = Vector<T, lanes>;

    [[gnu::always_inline]] static Part repeat(T value) { return Part{} + value; }

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
        const Vector<T, lanes> pairs = repeat_pair<T, lanes>(value, std::make_index_sequence<lanes>{});
        Run run;
        for (int i = 0; i < count; ++i) {
            run.part[i] = part[i] * pairs;
        }
        return run;
    }

    [[gnu::always_inline]] std::complex<T> dot_pairs(const Run& weights) const {
        Vector<T, lanes> products = part[0] * weights.part[0];
        for (int i = 1; i < count; ++i) {
            products += part[i] * weights.part[i];
        }
        return sum_of_pairs<T, lanes>(products);
    }
};

template <class T, int Width, int AxisCount>
struct Loops {
    /// Bytes of a register that the inner loops read and write: of those that the processor has, the size that needs
    /// fewer of them. (GCC makes wider ones by way of memory, many times slower.) Their addresses are multiples of it,
    /// so no access straddles cache lines and a load finds what the last sample stored.
    static constexpr int registers(int bytes) {
        const int points = bytes / static_cast<int>(sizeof(std::complex<T>));
        return (Width + points - 1 + points - 1) / points;
    }
    static constexpr int narrow = std::min(register_bytes, 32);
    static constexpr int unit_bytes = registers(register_bytes) < registers(narrow) ? register_bytes : narrow;
    static constexpr Index unit_points = unit_bytes / sizeof(std::complex<T>);

    using Row = Run<T, unit_bytes, 2 * (Width + unit_points - 1)>;
    using RowWeights = Run<T, (2 * Width * sizeof(T) > narrow ? register_bytes : narrow), 2 * Width>;
    using AxisWeights = Run<T, (Width * sizeof(T) > narrow ? register_bytes : narrow), Width>;
    using Sample = typename GriddingTiles<T>::Sample;

    static constexpr Index record_length =
        (std::max(Row::length + 2 * AxisWeights::length, RowWeights::length + 2 * int{unit_points}) + 15) / 16 * 16;
    static constexpr int y_count = AxisCount > 1 ? Width : 1;
    static constexpr int z_count = AxisCount > 2 ? Width : 1;

    /// One register for each: they serve every z.
    using YWeights = std::array<typename Row::Part, y_count>;

    [[gnu::always_inline]] static YWeights y_weights(const T* record) {
        YWeights weights;
        for (int y = 0; y < y_count; ++y) {
            weights[y] = Row::repeat(AxisCount > 1 ? record[Row::length + y] : T{1});
        }
        return weights;
    }
    static const T* z_weights(const T* record) { return record + Row::length + AxisWeights::length; }

    /// Points between the last multiple of `unit_points` and the sample's first point.
    static Index shift(const Sample& sample) { return sample.local_offset % unit_points; }

    template <class Weights>
    [[gnu::always_inline]] static void horner(int degree, const T* coefficients, T t, T* weights) {
        Weights sum = Weights::from(coefficients + degree * Weights::length);
        for (int power = degree - 1; power >= 0; --power) {
            sum.multiply_add(t, Weights::from(coefficients + power * Weights::length));
        }
        sum.to(weights);
    }

    static void make_records(int degree, const T* row_coefficients, const T* axis_coefficients, const Sample* samples,
                             Index count, T* records) {
        for (Index m = 0; m < count; ++m) {
            T* record = records + m * record_length;
            Row::zero().to(record);
            horner<RowWeights>(degree, row_coefficients, samples[m].polynomial_t[0], record + 2 * shift(samples[m]));
            for (int axis = 1; axis < AxisCount; ++axis) {
                horner<AxisWeights>(degree, axis_coefficients, samples[m].polynomial_t[axis],
                                    record + Row::length + (axis - 1) * AxisWeights::length);
            }
        }
    }

    static void spread(const T* records, const Sample* samples, const std::complex<T>* values, Index count,
                       const Index* local_strides, std::complex<T>* local) {
        const Index y_stride = 2 * local_strides[0];
        const Index z_stride = 2 * local_strides[1];
        for (Index m = 0; m < count; ++m) {
            const T* record = records + m * record_length;
            const Row x = Row::from(record).times_pairs(values[m]);
            const YWeights y_weight = y_weights(record);
            T* plane = reinterpret_cast<T*>(local + samples[m].local_offset - shift(samples[m]));
#pragma GCC unroll 1
            for (int z = 0; z < z_count; ++z) {
                const Row zx = AxisCount > 2 ? x.times(z_weights(record)[z]) : x;
                T* cells = plane;
#pragma GCC unroll 16
                for (int y = 0; y < y_count; ++y) {
                    Row row = Row::from(cells);
                    row.add_multiple(zx, y_weight[y]);
                    row.to(cells);
                    cells += y_stride;
                }
                plane += z_stride;
            }
        }
    }

    static void interpolate(const T* records, const Sample* samples, Index count, const Index* local_strides,
                            const std::complex<T>* local, std::complex<T>* values) {
        const Index y_stride = 2 * local_strides[0];
        const Index z_stride = 2 * local_strides[1];
        for (Index m = 0; m < count; ++m) {
            const T* record = records + m * record_length;
            const YWeights y_weight = y_weights(record);
            const T* plane = reinterpret_cast<const T*>(local + samples[m].local_offset - shift(samples[m]));
            Row sum = Row::zero();
#pragma GCC unroll 1
            for (int z = 0; z < z_count; ++z) {
                Row plane_sum = Row::zero();
                const T* cells = plane;
#pragma GCC unroll 16
                for (int y = 0; y < y_count; ++y) {
                    plane_sum.add_multiple(Row::from(cells), y_weight[y]);
                    cells += y_stride;
                }
                if constexpr (AxisCount > 2) {
                    sum.add_multiple(plane_sum, Row::repeat(z_weights(record)[z]));
                } else {
                    sum = plane_sum;
                }
                plane += z_stride;
            }
            values[m] = sum.dot_pairs(Row::from(record));
        }
    }

    static constexpr GriddingLoops<T> table() {
        return {RowWeights::length, AxisWeights::length, record_length, unit_points,
                Row::length / 2,    &make_records,       &spread,       &interpolate};
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
