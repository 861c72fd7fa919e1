#include "core/backend/cpu/exact/exact_adjoint.hpp"

#include <omp.h>

#include <algorithm>
#include <array>
#include <utility>

#include "core/backend/cpu/exact/exact_factors.hpp"
#include "core/base/cancel.hpp"
#include "core/base/cpu_memory.hpp"

namespace recon {
namespace {

using simd::lane_count;
using simd::most_columns;

/// Samples whose products are added in the precision of the factors, before they join the sums in double. The rounding
/// of a chunk grows as sqrt(chunk / 6) of one rounding: 4e-7 in single precision.
constexpr Index chunk_length = 256;
// The threads make the factors of a block of samples together and then share the work, so a block must be long enough
// to pay for two meetings of the threads, and for the passage of large sums through memory; short enough for the cache.
constexpr Index smallest_table_bytes = 4 << 20;
constexpr Index largest_table_bytes = 16 << 20;
constexpr Index sums_bytes = Index{256} << 20;  ///< of sums at a time

/// One panel adds a chunk of samples to its sums over a tile of columns.
template <class T>
using TileProduct = void (*)(Index depth, const T* a, const T* b, double* sums);

template <int columns, class T>
void tile_product(Index depth, const T* a, const T* b, double* sums) {
    constexpr int lanes = lane_count<T>;
    simd::product<columns>(depth, a, b, [&](int column, const simd::Pack<T>& real, const simd::Pack<T>& imaginary) {
        simd::promote<T>(real, sums + 2 * lanes * column);
        simd::promote<T>(imaginary, sums + 2 * lanes * column + lanes);
    });
}

template <class T, int... columns>
constexpr std::array<TileProduct<T>, sizeof...(columns)> tile_products(std::integer_sequence<int, columns...>) {
    return {tile_product<columns + 1, T>...};
}

/// The columns of the product, in tiles of nearly equal width.
struct Tiles {
    Index column_count;
    Index count;

    explicit Tiles(Index columns) : column_count(columns), count((columns + most_columns - 1) / most_columns) {}
    Index first(Index tile) const { return tile * column_count / count; }
    Index width(Index tile) const { return first(tile + 1) - first(tile); }
};

/// How the work is cut: samples into blocks, panels (rows of a line of an image) into slabs.
template <class T>
struct AdjointPieces {
    AdjointPieces(const FactoredGrid& grid, Index sample_count, Index batch, std::size_t piece_bytes)
        : panel_count(packs_of(grid.row.extent, lane_count<T>)),
          task_count(batch * grid.line.extent * panel_count),
          sums_per_task(grid.column.extent * 2 * lane_count<T>) {
        const Index bytes_per_sample =
            (2 * lane_count<T> * panel_count + 2 * grid.line.extent + grid.column.extent) * Index{sizeof(T)};
        const Index all_sums_bytes = task_count * sums_per_task * Index{sizeof(double)};
        const auto most_bytes = static_cast<Index>(std::min<std::size_t>(piece_bytes, sums_bytes));
        const Index table_bytes =
            std::min(std::clamp(all_sums_bytes / 2, smallest_table_bytes, largest_table_bytes), most_bytes);
        const Index chunks = std::max<Index>(1, table_bytes / (bytes_per_sample * chunk_length));
        block_length = std::min(chunks * chunk_length, packs_of(sample_count, lane_count<T>) * lane_count<T>);
        panel_stride = (block_length + 1) * 2 * lane_count<T>;  // no power of two: panels would compete for cache lines
        slab = std::clamp<Index>(most_bytes / (sums_per_task * Index{sizeof(double)}), 1, task_count);
        table_size = panel_count * panel_stride + (2 * grid.line.extent + grid.column.extent) * block_length;
    }

    Index panel_count;
    Index task_count;
    Index sums_per_task;
    Index block_length = 0;  ///< samples
    Index panel_stride = 0;
    Index slab = 0;        ///< tasks whose sums are held at a time
    Index table_size = 0;  ///< numbers in the factors of a block
};

template <class T>
class Adjoint {
public:
    Adjoint(const FactoredGrid& grid, const Trajectory& trajectory, Index batch, const std::complex<T>* samples)
        : pieces_(grid, trajectory.sample_count(), batch, cpu_memory().piece_bytes()),
          grid_(grid),
          k_row_(trajectory.k[grid.row.component].data()),
          k_line_(trajectory.k[grid.line.component].data()),
          k_column_(trajectory.k[grid.column.component].data()),
          sample_count_(trajectory.sample_count()),
          samples_(samples),
          tiles_(grid.column.extent),
          column_scratch_(omp_get_max_threads(), AlignedVector<T>(column_scratch_size(grid))),
          row_factors_(pieces_.panel_count * pieces_.panel_stride),
          line_real_(grid.line.extent * pieces_.block_length),
          line_imaginary_(grid.line.extent * pieces_.block_length),
          column_factors_(grid.column.extent * pieces_.block_length) {}

    void run(Index voxel_count, std::complex<T>* image) {
        const CancelToken& cancel = cancel_of_this_thread();
        const Index sums_per_task = pieces_.sums_per_task;
        CpuBuffer<double> sums(pieces_.slab * sums_per_task);
        std::vector<AlignedVector<T>> scratch(omp_get_max_threads(), AlignedVector<T>((2 * lanes + 2) * chunk_length));
        for (Index first = 0; first < pieces_.task_count; first += pieces_.slab) {
            const Index count = std::min(pieces_.slab, pieces_.task_count - first);
            std::fill_n(sums.data(), sums.size(), 0.0);
            for (Index sample = 0; sample < sample_count_; sample += pieces_.block_length) {
                const Index block = std::min(pieces_.block_length, sample_count_ - sample);
                make_factors(sample, block);
                // Panels are divided over the threads; where there are few, their columns as well. Each sum is added
                // in the order of the samples whoever adds it.
                const Index groups =
                    std::clamp<Index>(4 * omp_get_max_threads() / std::max<Index>(count, 1), 1, tiles_.count);
#pragma omp parallel for schedule(dynamic)
                for (Index part = 0; part < count * groups; ++part) {
                    if (cancel.is_due()) {
                        continue;
                    }
                    const Index task = part / groups;
                    const Index group = part % groups;
                    add_block(first + task, sample, block, group * tiles_.count / groups,
                              (group + 1) * tiles_.count / groups, scratch[omp_get_thread_num()].data(),
                              sums.data() + task * sums_per_task);
                }
                cancel.check();
            }
#pragma omp parallel for schedule(static)
            for (Index task = 0; task < count; ++task) {
                store(first + task, sums.data() + task * sums_per_task, voxel_count, image);
            }
        }
    }

private:
    static constexpr Index lanes = lane_count<T>;

    static Index column_scratch_size(const FactoredGrid& grid) {
        return packs_of(grid.cosine_count(), lanes) * 2 * lanes + grid.column.extent;
    }

    struct Task {
        Index image;
        Index line;
        Index panel;
    };
    Task task_at(Index index) const {
        return {index / pieces_.panel_count / grid_.line.extent, index / pieces_.panel_count % grid_.line.extent,
                index % pieces_.panel_count};
    }

    /// Tables for samples [first, first + count): rows [panel][sample][re lanes, im lanes], lines [line][sample],
    /// columns [tile][sample][column].
    void make_factors(Index first, Index count) {
#pragma omp parallel
        {
#pragma omp for schedule(static) nowait
            for (Index m = 0; m < count; ++m) {
                write_factors<T>(k_row_[first + m], grid_.row.first, grid_.row.step, pieces_.panel_count,
                                 pieces_.panel_stride, row_factors_.data() + m * 2 * lanes);
            }
#pragma omp for schedule(static) nowait
            for (Index line = 0; line < grid_.line.extent; ++line) {
                write_line_factors<T>(count, k_line_ + first, grid_.line.position(line), k_column_ + first,
                                      grid_.column.centre(), line_real_.data() + line * pieces_.block_length,
                                      line_imaginary_.data() + line * pieces_.block_length);
            }
#pragma omp for schedule(static)
            for (Index m = 0; m < count; ++m) {
                make_columns(first, m, column_scratch_[omp_get_thread_num()].data());
            }
        }
    }

    void make_columns(Index first, Index m, T* scratch) {
        T* columns = scratch + packs_of(grid_.cosine_count(), lanes) * 2 * lanes;
        write_columns<T>(k_column_[first + m], grid_, scratch, columns);
        for (Index tile = 0; tile < tiles_.count; ++tile) {
            const Index begin = tiles_.first(tile);
            const Index width = tiles_.width(tile);
            std::copy_n(columns + begin, width, column_factors_.data() + begin * pieces_.block_length + m * width);
        }
    }

    void add_block(Index index, Index first, Index count, Index first_tile, Index last_tile, T* scratch,
                   double* sums) const {
        static constexpr auto products = tile_products<T>(std::make_integer_sequence<int, most_columns>());
        T* a = scratch;
        T* weight_real = scratch + 2 * lanes * chunk_length;
        T* weight_imaginary = weight_real + chunk_length;
        const Task task = task_at(index);
        for (Index m = 0; m < count; m += chunk_length) {
            const Index depth = std::min(chunk_length, count - m);
            make_weights(task, first, m, depth, weight_real, weight_imaginary);
            make_rows(row_factors_.data() + task.panel * pieces_.panel_stride + m * 2 * lanes, depth, weight_real,
                      weight_imaginary, a);
            for (Index tile = first_tile; tile < last_tile; ++tile) {
                const Index width = tiles_.width(tile);
                products[width - 1](depth, a,
                                    column_factors_.data() + tiles_.first(tile) * pieces_.block_length + m * width,
                                    sums + tiles_.first(tile) * 2 * lanes);
            }
        }
    }

    /// samples[m] times the factor of the line
    void make_weights(const Task& task, Index first, Index m, Index count, T* real, T* imaginary) const {
        const std::complex<T>* samples = samples_ + task.image * sample_count_ + first + m;
        const T* line_real = line_real_.data() + task.line * pieces_.block_length + m;
        const T* line_imaginary = line_imaginary_.data() + task.line * pieces_.block_length + m;
#pragma omp simd
        for (Index i = 0; i < count; ++i) {
            real[i] = samples[i].real() * line_real[i] - samples[i].imag() * line_imaginary[i];
            imaginary[i] = samples[i].real() * line_imaginary[i] + samples[i].imag() * line_real[i];
        }
    }

    /// The matrix A of one panel: weight[m] times the factors of the rows.
    static void make_rows(const T* rows, Index count, const T* weight_real, const T* weight_imaginary, T* a) {
        for (Index i = 0; i < count; ++i) {
            const simd::Pack<T>& real = simd::load(rows + i * 2 * lanes);
            const simd::Pack<T>& imaginary = simd::load(rows + i * 2 * lanes + lanes);
            simd::at(a + i * 2 * lanes) = real * weight_real[i] - imaginary * weight_imaginary[i];
            simd::at(a + i * 2 * lanes + lanes) = real * weight_imaginary[i] + imaginary * weight_real[i];
        }
    }

    /// C(+-z) = sum A cos +- i sum A sin
    void store(Index index, const double* sums, Index voxel_count, std::complex<T>* image) const {
        const Task task = task_at(index);
        const Index unpaired = grid_.cosine_count() - grid_.sine_count();
        std::complex<T>* line = image + task.image * voxel_count + task.line * grid_.line.stride;
        for (Index i = 0; i < grid_.cosine_count(); ++i) {
            const double* even = sums + i * 2 * lanes;
            const double* odd = sums + (grid_.cosine_count() + i - unpaired) * 2 * lanes;
            const Index after = grid_.column.extent / 2 + i;
            const Index before = (grid_.column.extent - 1) / 2 - i;
            for (Index lane = 0; lane < lanes; ++lane) {
                const Index row = task.panel * lanes + lane;
                const double odd_real = i < unpaired ? 0 : odd[lane];
                const double odd_imaginary = i < unpaired ? 0 : odd[lanes + lane];
                if (grid_.exists(row, after)) {
                    line[row * grid_.row.stride + after * grid_.column.stride] = std::complex<T>(
                        static_cast<T>(even[lane] - odd_imaginary), static_cast<T>(even[lanes + lane] + odd_real));
                }
                if (grid_.exists(row, before)) {
                    line[row * grid_.row.stride + before * grid_.column.stride] = std::complex<T>(
                        static_cast<T>(even[lane] + odd_imaginary), static_cast<T>(even[lanes + lane] - odd_real));
                }
            }
        }
    }

    AdjointPieces<T> pieces_;
    const FactoredGrid& grid_;
    const double* k_row_;
    const double* k_line_;
    const double* k_column_;
    Index sample_count_;
    const std::complex<T>* samples_;
    Tiles tiles_;
    std::vector<AlignedVector<T>> column_scratch_;  ///< one a thread
    CpuBuffer<T> row_factors_;
    CpuBuffer<T> line_real_;
    CpuBuffer<T> line_imaginary_;
    CpuBuffer<T> column_factors_;
};

}  // namespace

template <class T>
void exact_adjoint(const FactoredGrid& grid, const Trajectory& trajectory, Index batch, const std::complex<T>* samples,
                   Index voxel_count, std::complex<T>* image) {
    Adjoint<T>(grid, trajectory, batch, samples).run(voxel_count, image);
}

template <class T>
std::size_t exact_adjoint_bytes(const FactoredGrid& grid, Index sample_count, Index batch, std::size_t piece_bytes) {
    const AdjointPieces<T> pieces(grid, sample_count, batch, piece_bytes);
    const Index scratch = (2 * lane_count<T> + 2) * chunk_length + 4 * grid.column.extent + 8 * lane_count<T>;
    return pieces.slab * pieces.sums_per_task * sizeof(double) +
           (pieces.table_size + scratch * omp_get_max_threads()) * sizeof(T);
}

template std::size_t exact_adjoint_bytes<float>(const FactoredGrid&, Index, Index, std::size_t);
template std::size_t exact_adjoint_bytes<double>(const FactoredGrid&, Index, Index, std::size_t);
template void exact_adjoint(const FactoredGrid&, const Trajectory&, Index, const cfloat*, Index, cfloat*);
template void exact_adjoint(const FactoredGrid&, const Trajectory&, Index, const cdouble*, Index, cdouble*);

}  // namespace recon
