#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/backend/cpu/gridding/gridding_loops.hpp"
#include "core/backend/cpu/gridding/gridding_tiles.hpp"
#include "core/backend/cpu/simd/aligned_vector.hpp"
#include "core/base/cancel.hpp"
#include "core/base/cpu_memory.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

/// Samples whose weights are made at a time when there is one image: the weights stay in the first level cache.
constexpr Index chunk_length = 128;

template <class T>
class CpuGridding final : public GriddingPlan {
public:
    CpuGridding(const Trajectory& trajectory, const GriddingGeometry& geometry)
        : GriddingPlan(geometry, trajectory.sample_count(), precision_of<T>),
          loops_(GriddingLoops<T>::of(geometry.kernel.width, std::max(1, active_axis_count(geometry)))),
          tiles_(trajectory, geometry, loops_.unit_points, loops_.row_points) {
        const auto polynomials = KernelPolynomials::fit(geometry.kernel, harmless_value_error(geometry.kernel));
        degree_ = polynomials.degree;
        row_coefficients_.resize((degree_ + 1) * loops_.row_coefficient_count);
        axis_coefficients_.resize((degree_ + 1) * loops_.axis_coefficient_count);
        for (Index power = 0; power <= degree_; ++power) {
            for (Index point = 0; point < polynomials.width; ++point) {
                const auto c = static_cast<T>(polynomials.coefficient[power * polynomials.width + point]);
                row_coefficients_[power * loops_.row_coefficient_count + 2 * point] = c;
                row_coefficients_[power * loops_.row_coefficient_count + 2 * point + 1] = c;
                axis_coefficients_[power * loops_.axis_coefficient_count + point] = c;
            }
        }
        for (std::size_t i = 1; i < tiles_.axes.size(); ++i) {
            local_strides_[i - 1] = tiles_.axes[i].local_stride;
        }
    }

    std::size_t plan_bytes() const override {
        std::size_t part_count = 0;
        for (const Phase& phase : tiles_.phases) {
            part_count += phase.parts.size();
        }
        return tiles_.samples.size() * sizeof(Sample) + part_count * sizeof(Part);
    }
    std::size_t scratch_bytes(Index batch_count) const override {
        const Index length = run_length(batch_count);
        return omp_get_max_threads() *
               ((tiles_.local_size + length) * sizeof(std::complex<T>) + length * loops_.record_length * sizeof(T));
    }

private:
    using Sample = typename GriddingTiles<T>::Sample;
    using Part = typename GriddingTiles<T>::Part;
    using Phase = typename GriddingTiles<T>::Phase;

    void do_spread(Index batch_count, ConstArrayView samples, ArrayView grid) const override {
        const std::complex<T>* from = samples.data<T>();
        std::complex<T>* to = grid.data<T>();
        const Index grid_size = grid_shape().element_count();
        if (tiles_.axes.empty()) {
            sum_into_single_point(from, batch_count, to);
            return;
        }
        const CancelToken& cancel = cancel_of_this_thread();
        clear(to, grid.size());
        std::vector<Scratch> scratch = make_scratch(batch_count);
        for (const auto& phase : tiles_.phases) {
            // How many parts of each queue have been added to the grid, for each image.
            std::vector<std::atomic<Index>> added(phase.queue_count * batch_count);
            for_each_part(phase, [&](const Part& part) {
                Scratch& mine = scratch[omp_get_thread_num()];
                for_each_image_of_part(
                    part, batch_count, mine,
                    [&](Index batch, Index first, Index count, bool begins, bool ends, const T* records) {
                        if (begins) {
                            std::fill(mine.local.begin(), mine.local.end(), std::complex<T>{});
                        }
                        const Sample* run = tiles_.samples.data() + first;
                        for (Index m = 0; m < count; ++m) {
                            mine.values[m] = from[batch * sample_count() + run[m].source];
                        }
                        loops_.spread(records, run, mine.values.data(), count, local_strides_.data(),
                                      mine.local.data());
                        if (ends) {
                            std::atomic<Index>& turn = added[part.queue * batch_count + batch];
                            while (turn.load(std::memory_order_acquire) != part.queue_rank) {
                                if (cancel.is_due()) {  // the part before may have been left out
                                    return;
                                }
                                std::this_thread::yield();
                            }
                            add_local_to_grid(part, mine.local.data(), to + batch * grid_size);
                            turn.store(part.queue_rank + 1, std::memory_order_release);
                        }
                    });
            });
        }
    }

    void do_interpolate(Index batch_count, ConstArrayView grid, ArrayView samples) const override {
        const std::complex<T>* from = grid.data<T>();
        std::complex<T>* to = samples.data<T>();
        const Index grid_size = grid_shape().element_count();
        if (tiles_.axes.empty()) {
            for (Index batch = 0; batch < batch_count; ++batch) {
                std::fill_n(to + batch * sample_count(), sample_count(), from[batch]);
            }
            return;
        }
        std::vector<Scratch> scratch = make_scratch(batch_count);
        for (const auto& phase : tiles_.phases) {
            for_each_part(phase, [&](const Part& part) {
                Scratch& mine = scratch[omp_get_thread_num()];
                for_each_image_of_part(part, batch_count, mine,
                                       [&](Index batch, Index first, Index count, bool begins, bool, const T* records) {
                                           if (begins) {
                                               copy_grid_to_local(part, from + batch * grid_size, mine.local.data());
                                           }
                                           const Sample* run = tiles_.samples.data() + first;
                                           loops_.interpolate(records, run, count, local_strides_.data(),
                                                              mine.local.data(), mine.values.data());
                                           for (Index m = 0; m < count; ++m) {
                                               to[batch * sample_count() + run[m].source] = mine.values[m];
                                           }
                                       });
            });
        }
    }

    /// What one thread needs.
    struct Scratch {
        AlignedVector<std::complex<T>> local;  ///< a tile with its halo
        AlignedVector<T> records;
        AlignedVector<std::complex<T>> values;
    };

    static int active_axis_count(const GriddingGeometry& geometry) {
        return static_cast<int>(std::ranges::count_if(geometry.grid_size, [](Index size) { return size > 1; }));
    }

    Index run_length(Index batch_count) const { return batch_count > 1 ? tiles_.largest_part : chunk_length; }

    std::vector<Scratch> make_scratch(Index batch_count) const {
        const Index length = run_length(batch_count);
        std::vector<Scratch> scratch(omp_get_max_threads());
        for (Scratch& mine : scratch) {
            mine.local.resize(tiles_.local_size);
            mine.records.resize(length * loops_.record_length);
            mine.values.resize(length);
        }
        return scratch;
    }

    static void clear(std::complex<T>* data, Index size) {
#pragma omp parallel for schedule(static)
        for (Index i = 0; i < size; ++i) {
            data[i] = 0;
        }
    }

    /// Threads take the parts in order, so a part never waits for one that nobody has taken.
    template <class Function>
    static void for_each_part(const Phase& phase, Function&& function) {
        const CancelToken& cancel = cancel_of_this_thread();
        std::atomic<std::size_t> next = 0;
#pragma omp parallel if (phase.parts.size() > 1)
        for (std::size_t i = next++; i < phase.parts.size() && !cancel.is_due(); i = next++) {
            function(phase.parts[i]);
        }
        cancel.check();
    }

    /// Calls function(batch, first sample, count, begins, ends, records) for runs of the samples of a part. Several
    /// images share the weights of the whole part; with one image, short runs keep them in the nearest cache.
    template <class Function>
    void for_each_image_of_part(const Part& part, Index batch_count, Scratch& mine, Function&& function) const {
        const Index run_length = batch_count > 1 ? part.sample_count : chunk_length;
        for (Index done = 0; done < part.sample_count; done += run_length) {
            const Index first = part.first_sample + done;
            const Index count = std::min(run_length, part.sample_count - done);
            loops_.make_records(degree_, row_coefficients_.data(), axis_coefficients_.data(),
                                tiles_.samples.data() + first, count, mine.records.data());
            for (Index batch = 0; batch < batch_count; ++batch) {
                function(batch, first, count, done == 0, done + count == part.sample_count, mine.records.data());
            }
        }
    }

    /// Calls function(grid offset, local offset, length) for contiguous pieces of a tile with its halo, modulo the
    /// grid: a grid narrower than the kernel is met several times.
    template <class Function>
    void for_each_piece(const Part& part, Function&& function) const {
        const auto& axes = tiles_.axes;
        for_each_point(part, 2, [&](Index grid_plane, Index local_plane) {
            for_each_point(part, 1, [&](Index grid_row, Index local_row) {
                Index grid_x = part.first_point[0];
                for (Index x = 0; x < part.extent[0];) {
                    const Index length = std::min(part.extent[0] - x, axes[0].grid_size - grid_x);
                    function(grid_plane + grid_row + grid_x, local_plane + local_row + x, length);
                    x += length;
                    grid_x = 0;
                }
            });
        });
    }

    /// Calls function(grid offset, local offset) for the points of a tile with its halo along one axis, or once.
    template <class Function>
    void for_each_point(const Part& part, std::size_t axis, Function&& function) const {
        if (axis >= tiles_.axes.size()) {
            function(0, 0);
            return;
        }
        const TileGrid::Axis& along = tiles_.axes[axis];
        Index grid_point = part.first_point[axis];
        for (Index point = 0; point < part.extent[axis]; ++point) {
            function(grid_point * along.grid_stride, point * along.local_stride);
            grid_point = grid_point + 1 == along.grid_size ? 0 : grid_point + 1;
        }
    }

    void add_local_to_grid(const Part& part, const std::complex<T>* local, std::complex<T>* grid) const {
        for_each_piece(part, [&](Index grid_offset, Index local_offset, Index length) {
            T* to = reinterpret_cast<T*>(grid + grid_offset);
            const T* from = reinterpret_cast<const T*>(local + local_offset);
            for (Index i = 0; i < 2 * length; ++i) {
                to[i] += from[i];
            }
        });
    }

    void copy_grid_to_local(const Part& part, const std::complex<T>* grid, std::complex<T>* local) const {
        for_each_piece(part, [&](Index grid_offset, Index local_offset, Index length) {
            std::copy_n(grid + grid_offset, length, local + local_offset);
        });
    }

    void sum_into_single_point(const std::complex<T>* samples, Index batch_count, std::complex<T>* grid) const {
        const Index sample_count = tiles_.samples.size();
        for (Index batch = 0; batch < batch_count; ++batch) {
            cdouble sum = 0;
            for (Index m = 0; m < sample_count; ++m) {
                sum += cdouble(samples[batch * sample_count + m]);
            }
            grid[batch] = static_cast<std::complex<T>>(sum);
        }
    }

    const GriddingLoops<T>& loops_;
    GriddingTiles<T> tiles_;
    int degree_ = 0;
    AlignedVector<T> row_coefficients_;
    AlignedVector<T> axis_coefficients_;
    std::array<Index, 2> local_strides_{};
};

}  // namespace

std::unique_ptr<GriddingPlan> make_cpu_gridding(const Trajectory& trajectory, const GriddingGeometry& geometry,
                                                Precision precision) {
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<GriddingPlan> {
        return std::make_unique<CpuGridding<decltype(tag)>>(trajectory, geometry);
    });
}

}  // namespace recon
