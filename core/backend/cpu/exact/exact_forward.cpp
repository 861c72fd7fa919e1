#include "core/backend/cpu/exact/exact_forward.hpp"

#include <omp.h>

#include <algorithm>

#include "core/backend/cpu/exact/exact_factors.hpp"
#include "core/base/cancel.hpp"
#include "core/base/cpu_memory.hpp"

namespace recon {
namespace {

using simd::lane_count;

constexpr Index tile_width = simd::most_columns;  ///< samples in registers at a time
constexpr Index depth_limit = 256;                ///< voxels of the column axis added without a pause
constexpr Index table_bytes = 512 << 10;          ///< of factors of one chunk of samples, to stay in a core's cache
constexpr Index image_bytes = Index{256} << 20;   ///< of the rearranged image at a time

/// How the work is cut: samples into chunks, panels (rows of a line of an image) into slabs.
template <class T>
struct ForwardPieces {
    ForwardPieces(const FactoredGrid& grid, Index batch, std::size_t piece_bytes)
        : panel_count(packs_of(grid.row.extent, lane_count<T>)),
          task_count(batch * grid.line.extent * panel_count),
          task_size(grid.column.extent * 2 * lane_count<T>) {
        const Index bytes_per_sample =
            (2 * lane_count<T> * (panel_count + 2) + 2 * grid.line.extent + grid.column.extent) * Index{sizeof(T)};
        chunk_length = std::clamp<Index>(table_bytes / bytes_per_sample / tile_width, 2, 20) * tile_width;
        const auto most_bytes = static_cast<Index>(std::min<std::size_t>(piece_bytes, image_bytes));
        slab = std::clamp<Index>(most_bytes / (task_size * Index{sizeof(T)}), 1, task_count);
    }

    Index panel_count;
    Index task_count;
    Index task_size;         ///< numbers of a task of the rearranged image
    Index chunk_length = 0;  ///< samples
    Index slab = 0;          ///< tasks that are held at a time
};

template <class T>
class Forward {
public:
    Forward(const FactoredGrid& grid, const Trajectory& trajectory, Index batch, Index voxel_count,
            const std::complex<T>* image)
        : grid_(grid),
          k_row_(trajectory.k[grid.row.component].data()),
          k_line_(trajectory.k[grid.line.component].data()),
          k_column_(trajectory.k[grid.column.component].data()),
          sample_count_(trajectory.sample_count()),
          batch_(batch),
          voxel_count_(voxel_count),
          image_(image),
          pieces_(grid, batch, cpu_memory().piece_bytes()),
          panel_count_(pieces_.panel_count),
          chunk_length_(pieces_.chunk_length) {}

    void run(std::complex<T>* samples) {
        const CancelToken& cancel = cancel_of_this_thread();
        const Index task_size = pieces_.task_size;
        CpuBuffer<T> packed(pieces_.slab * task_size);
        CpuBuffer<double> sums(2 * batch_ * sample_count_);
        std::fill_n(sums.data(), sums.size(), 0.0);
        std::vector<Chunk> scratch(omp_get_max_threads(), Chunk(*this));
        for (Index first = 0; first < pieces_.task_count; first += pieces_.slab) {
            const Index count = std::min(pieces_.slab, pieces_.task_count - first);
#pragma omp parallel for schedule(static)
            for (Index task = 0; task < count; ++task) {
                pack(first + task, packed.data() + task * task_size);
            }
#pragma omp parallel for schedule(dynamic)
            for (Index m = 0; m < sample_count_; m += chunk_length_) {
                if (cancel.is_due()) {
                    continue;
                }
                add_chunk(first, count, packed.data(), m, std::min(chunk_length_, sample_count_ - m),
                          scratch[omp_get_thread_num()], sums.data());
            }
            cancel.check();
        }
        for (Index i = 0; i < batch_ * sample_count_; ++i) {
            const double* sum = sums.data() + 2 * i;
            samples[i] = std::complex<T>(static_cast<T>(sum[0]), static_cast<T>(sum[1]));
        }
    }

private:
    static constexpr Index lanes = lane_count<T>;

    static void set_zero(AlignedVector<T>& sums) { std::fill(sums.begin(), sums.end(), T(0)); }

    /// The factors of one chunk of samples, and its sums: over the rows of a line, and over the lines of an image, each
    /// [sample][re lanes, im lanes].
    struct Chunk {
        AlignedVector<T> row_factors;     ///< [panel][sample][re lanes, im lanes]
        AlignedVector<T> line_real;       ///< [line][sample]
        AlignedVector<T> line_imaginary;  ///< [line][sample]
        AlignedVector<T> column_factors;  ///< [tile][column][sample of the tile]
        AlignedVector<T> scratch;
        AlignedVector<T> line_sums;
        AlignedVector<T> image_sums;

        explicit Chunk(const Forward& forward)
            : row_factors(forward.panel_count_ * forward.chunk_length_ * 2 * lanes),
              line_real(forward.grid_.line.extent * forward.chunk_length_),
              line_imaginary(forward.grid_.line.extent * forward.chunk_length_),
              column_factors(forward.grid_.column.extent * forward.chunk_length_),
              scratch(packs_of(forward.grid_.cosine_count(), lanes) * 2 * lanes + forward.grid_.column.extent),
              line_sums(forward.chunk_length_ * 2 * lanes),
              image_sums(forward.chunk_length_ * 2 * lanes) {}
    };

    /// One panel of the image as a matrix [column][re lanes, im lanes]: what the cosines multiply, then what the sines
    /// do. With S = rho(+z) + rho(-z) and D = rho(+z) - rho(-z),
    /// rho(+z) exp(-i a) + rho(-z) exp(+i a) = S cos a - i D sin a.
    void pack(Index index, T* packed) const {
        const Index panel = index % panel_count_;
        const Index line = index / panel_count_ % grid_.line.extent;
        const Index image = index / panel_count_ / grid_.line.extent;
        const Index unpaired = grid_.cosine_count() - grid_.sine_count();
        const std::complex<T>* from = image_ + image * voxel_count_ + line * grid_.line.stride;
        const auto voxel = [&](Index row, Index column) {
            return grid_.exists(row, column) ? from[row * grid_.row.stride + column * grid_.column.stride]
                                             : std::complex<T>{};
        };
        for (Index i = 0; i < grid_.cosine_count(); ++i) {
            T* even = packed + i * 2 * lanes;
            T* odd = packed + (grid_.cosine_count() + i - unpaired) * 2 * lanes;
            for (Index lane = 0; lane < lanes; ++lane) {
                const Index row = panel * lanes + lane;
                const std::complex<T> after = voxel(row, grid_.column.extent / 2 + i);
                if (i < unpaired) {
                    even[lane] = after.real();
                    even[lanes + lane] = after.imag();
                    continue;
                }
                const std::complex<T> before = voxel(row, (grid_.column.extent - 1) / 2 - i);
                even[lane] = after.real() + before.real();
                even[lanes + lane] = after.imag() + before.imag();
                odd[lane] = after.imag() - before.imag();
                odd[lanes + lane] = before.real() - after.real();
            }
        }
    }

    void make_factors(Index first, Index count, Chunk& chunk) const {
        T* columns = chunk.scratch.data() + packs_of(grid_.cosine_count(), lanes) * 2 * lanes;
        for (Index m = 0; m < count; ++m) {
            write_factors<T>(k_row_[first + m], grid_.row.first, grid_.row.step, panel_count_,
                             chunk_length_ * 2 * lanes, chunk.row_factors.data() + m * 2 * lanes);
            write_columns<T>(k_column_[first + m], grid_, chunk.scratch.data(), columns);
            T* tile = chunk.column_factors.data() + m / tile_width * tile_width * grid_.column.extent + m % tile_width;
            for (Index i = 0; i < grid_.column.extent; ++i) {
                tile[i * tile_width] = columns[i];
            }
        }
        for (Index line = 0; line < grid_.line.extent; ++line) {
            write_line_factors<T>(count, k_line_ + first, grid_.line.position(line), k_column_ + first,
                                  grid_.column.centre(), chunk.line_real.data() + line * chunk_length_,
                                  chunk.line_imaginary.data() + line * chunk_length_);
        }
    }

    /// Adds what panels [first_task, first_task + task_count) contribute to samples [first, first + count).
    void add_chunk(Index first_task, Index task_count, const T* packed, Index first, Index count, Chunk& chunk,
                   double* sums) const {
        const Index line_count = grid_.line.extent;
        make_factors(first, count, chunk);
        set_zero(chunk.line_sums);
        set_zero(chunk.image_sums);
        for (Index task = 0; task < task_count; ++task) {
            const Index index = first_task + task;
            const Index panel = index % panel_count_;
            const Index line = index / panel_count_ % line_count;
            add_panel(packed + task * grid_.column.extent * 2 * lanes, panel, count, chunk);
            const bool last = task + 1 == task_count;
            if (panel + 1 == panel_count_ || last) {
                close_line(line, count, chunk);
                if (line + 1 == line_count || last) {
                    close_image(count, chunk, sums + 2 * (index / panel_count_ / line_count * sample_count_ + first));
                }
            }
        }
    }

    /// line_sums[m] += conj(row factor) * (image panel x column factors)
    void add_panel(const T* packed, Index panel, Index count, Chunk& chunk) const {
        const T* rows = chunk.row_factors.data() + panel * chunk_length_ * 2 * lanes;
        for (Index m = 0; m < count; m += tile_width) {
            const T* columns = chunk.column_factors.data() + m * grid_.column.extent;
            for (Index depth = 0; depth < grid_.column.extent; depth += depth_limit) {
                simd::product<tile_width>(
                    std::min(depth_limit, grid_.column.extent - depth), packed + depth * 2 * lanes,
                    columns + depth * tile_width,
                    [&](int column, const simd::Pack<T>& real, const simd::Pack<T>& imaginary) {
                        const T* row = rows + (m + column) * 2 * lanes;
                        T* sum = chunk.line_sums.data() + (m + column) * 2 * lanes;
                        simd::at(sum) += simd::load(row) * real + simd::load(row + lanes) * imaginary;
                        simd::at(sum + lanes) += simd::load(row) * imaginary - simd::load(row + lanes) * real;
                    });
            }
        }
    }

    /// image_sums[m] += conj(line factor) line_sums[m]
    void close_line(Index line, Index count, Chunk& chunk) const {
        const T* line_real = chunk.line_real.data() + line * chunk_length_;
        const T* line_imaginary = chunk.line_imaginary.data() + line * chunk_length_;
        for (Index m = 0; m < count; ++m) {
            T* from = chunk.line_sums.data() + m * 2 * lanes;
            T* to = chunk.image_sums.data() + m * 2 * lanes;
            simd::at(to) += simd::load(from) * line_real[m] + simd::load(from + lanes) * line_imaginary[m];
            simd::at(to + lanes) += simd::load(from + lanes) * line_real[m] - simd::load(from) * line_imaginary[m];
        }
        set_zero(chunk.line_sums);
    }

    static void close_image(Index count, Chunk& chunk, double* sums) {
        for (Index m = 0; m < count; ++m) {
            const T* from = chunk.image_sums.data() + m * 2 * lanes;
            for (Index lane = 0; lane < lanes; ++lane) {
                sums[2 * m] += from[lane];
                sums[2 * m + 1] += from[lanes + lane];
            }
        }
        set_zero(chunk.image_sums);
    }

    const FactoredGrid& grid_;
    const double* k_row_;
    const double* k_line_;
    const double* k_column_;
    Index sample_count_;
    Index batch_;
    Index voxel_count_;
    const std::complex<T>* image_;
    ForwardPieces<T> pieces_;
    Index panel_count_;
    Index chunk_length_;
};

}  // namespace

template <class T>
void exact_forward(const FactoredGrid& grid, const Trajectory& trajectory, Index batch, Index voxel_count,
                   const std::complex<T>* image, std::complex<T>* samples) {
    Forward<T>(grid, trajectory, batch, voxel_count, image).run(samples);
}

template <class T>
std::size_t exact_forward_bytes(const FactoredGrid& grid, Index sample_count, Index batch, std::size_t piece_bytes) {
    const ForwardPieces<T> pieces(grid, batch, piece_bytes);
    const Index chunk = pieces.chunk_length *
                            (2 * lane_count<T> * (pieces.panel_count + 2) + 2 * grid.line.extent + grid.column.extent) +
                        3 * grid.column.extent + 4 * lane_count<T>;
    // One chunk more than threads: the vector of them is filled with copies of one.
    return 2 * batch * sample_count * sizeof(double) +
           (pieces.slab * pieces.task_size + chunk * (omp_get_max_threads() + 1)) * sizeof(T);
}

template std::size_t exact_forward_bytes<float>(const FactoredGrid&, Index, Index, std::size_t);
template std::size_t exact_forward_bytes<double>(const FactoredGrid&, Index, Index, std::size_t);
template void exact_forward(const FactoredGrid&, const Trajectory&, Index, Index, const cfloat*, cfloat*);
template void exact_forward(const FactoredGrid&, const Trajectory&, Index, Index, const cdouble*, cdouble*);

}  // namespace recon
