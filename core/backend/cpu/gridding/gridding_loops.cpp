#include "core/backend/cpu/gridding/gridding_loops.hpp"

#include <algorithm>
#include <array>
#include <type_traits>
#include <utility>

#include "core/backend/cpu/gridding/register_run.hpp"
#include "core/backend/cpu/simd/lanes.hpp"

namespace recon {
namespace {

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

    using Row = RegisterRun<T, unit_bytes, 2 * (Width + unit_points - 1)>;
    using RowWeights = RegisterRun<T, (2 * Width * sizeof(T) > narrow ? register_bytes : narrow), 2 * Width>;
    using AxisWeights = RegisterRun<T, (Width * sizeof(T) > narrow ? register_bytes : narrow), Width>;
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

    /// As much of a row as most samples need: what they leave out would be zero weights alone.
    static constexpr Index short_points = Row::length / 2 - unit_points;
    using ShortRow = RegisterRun<T, unit_bytes, 2 * short_points>;
    static bool is_short(const Sample& sample) { return shift(sample) + Width <= short_points; }

    /// Calls function(m, std::type_identity<row>) for each sample, with the row that it needs. (In loops of their own:
    /// from two branches GCC takes out the products that both make, and with them multiply-adds.)
    template <class Function>
    [[gnu::always_inline]] static void for_each_sample(const Sample* samples, Index count, Function&& function) {
        for (Index m = 0; m < count;) {
            for (; m < count && is_short(samples[m]); ++m) {
                function(m, std::type_identity<ShortRow>{});
            }
            for (; m < count && !is_short(samples[m]); ++m) {
                function(m, std::type_identity<Row>{});
            }
        }
    }

    template <class ThisRow>
    [[gnu::always_inline]] static void spread_sample(const T* record, const Sample& sample, std::complex<T> value,
                                                     Index y_stride, Index z_stride, std::complex<T>* local) {
        const ThisRow x = ThisRow::from(record).times_pairs(value);
        const YWeights y_weight = y_weights(record);
        T* plane = reinterpret_cast<T*>(local + sample.local_offset - shift(sample));
#pragma GCC unroll 1
        for (int z = 0; z < z_count; ++z) {
            const ThisRow zx = AxisCount > 2 ? x.times(z_weights(record)[z]) : x;
            T* cells = plane;
#pragma GCC unroll 16
            for (int y = 0; y < y_count; ++y) {
                ThisRow row = ThisRow::from(cells);
                row.add_multiple(zx, y_weight[y]);
                row.to(cells);
                cells += y_stride;
            }
            plane += z_stride;
        }
    }

    static void spread(const T* records, const Sample* samples, const std::complex<T>* values, Index count,
                       const Index* local_strides, std::complex<T>* local) {
        const Index y_stride = 2 * local_strides[0];
        const Index z_stride = 2 * local_strides[1];
        for_each_sample(
            samples, count, [&]<class ThisRow>(Index m, std::type_identity<ThisRow>) __attribute__((always_inline)) {
                spread_sample<ThisRow>(records + m * record_length, samples[m], values[m], y_stride, z_stride, local);
            });
    }

    template <class ThisRow>
    [[gnu::always_inline]] static std::complex<T> interpolate_sample(const T* record, const Sample& sample,
                                                                     Index y_stride, Index z_stride,
                                                                     const std::complex<T>* local) {
        const YWeights y_weight = y_weights(record);
        const T* plane = reinterpret_cast<const T*>(local + sample.local_offset - shift(sample));
        ThisRow sum = ThisRow::zero();
#pragma GCC unroll 1
        for (int z = 0; z < z_count; ++z) {
            ThisRow plane_sum = ThisRow::zero();
            const T* cells = plane;
#pragma GCC unroll 16
            for (int y = 0; y < y_count; ++y) {
                plane_sum.add_multiple(ThisRow::from(cells), y_weight[y]);
                cells += y_stride;
            }
            if constexpr (AxisCount > 2) {
                sum.add_multiple(plane_sum, Row::repeat(z_weights(record)[z]));
            } else {
                sum = plane_sum;
            }
            plane += z_stride;
        }
        return sum.dot_pairs(ThisRow::from(record));
    }

    static void interpolate(const T* records, const Sample* samples, Index count, const Index* local_strides,
                            const std::complex<T>* local, std::complex<T>* values) {
        const Index y_stride = 2 * local_strides[0];
        const Index z_stride = 2 * local_strides[1];
        for_each_sample(
            samples, count, [&]<class ThisRow>(Index m, std::type_identity<ThisRow>) __attribute__((always_inline)) {
                values[m] =
                    interpolate_sample<ThisRow>(records + m * record_length, samples[m], y_stride, z_stride, local);
            });
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
