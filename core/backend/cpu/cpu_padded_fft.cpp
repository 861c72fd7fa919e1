#include <fmt/format.h>
#include <omp.h>

#include <algorithm>
#include <array>
#include <mutex>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/backend/cpu/fft/batched_fft.hpp"
#include "core/backend/cpu/fft/lane_rows.hpp"
#include "core/base/cpu_memory.hpp"
#include "core/base/error.hpp"
#include "core/base/threads/worthwhile_threads.hpp"

namespace recon {
namespace {

/// One axis: its transform, and which grid indices hold image.
template <class T>
struct Axis {
    Axis(Index image_extent, Index grid_extent, Index origin, const std::vector<double>& weights)
        : n(image_extent), fft(grid_extent), grid_index(n), holds_image(grid_extent, 0), weight(weights) {
        for (Index i = 0; i < n; ++i) {
            grid_index[i] = ((i - origin) % grid_extent + grid_extent) % grid_extent;
            holds_image[grid_index[i]] = 1;
        }
    }

    Index n;
    BatchedFft<T> fft;
    std::vector<Index> grid_index;           ///< of each image index
    std::vector<unsigned char> holds_image;  ///< at each grid index
    std::vector<double> weight;              ///< of each image index
};

/// Passes over groups of `lane_count` pencils. Forward: x from the rows that hold image, then y in the planes that do,
/// then z everywhere; the grid is never cleared, because no pass reads what no pass has written. Adjoint: the reverse.
template <class T>
class CpuPaddedFft final : public PaddedFftPlan {
public:
    CpuPaddedFft(const std::array<Axis<T>, 3>& axes, const PaddedFftGeometry& geometry)
        : PaddedFftPlan(geometry, precision_of<T>), axes_(axes) {}

private:
    static constexpr int width = lane_count<T>;
    using Complex = ComplexLanes<T>;

    void do_forward(Index batch, ConstArrayView image, ArrayView grid) const override {
        const std::lock_guard lock(scratch_mutex_);
        reserve_scratch();
        const std::complex<T>* from = image.data<T>();
        std::complex<T>* to = grid.data<T>();
        const int threads = threads_for(batch);
#pragma omp parallel num_threads(threads) if (threads > 1)
        {
            for_each_row_group(batch, [&](const RowGroup& group) { rows_forward(group, from, to); });
            if (length(1) > 1) {
                for_each_plane_column(
                    batch, [&](Index first, Index lanes) { columns_forward(axes_[1], to + first, length(0), lanes); });
            }
            if (length(2) > 1) {
                for_each_volume_column(batch, [&](Index first, Index lanes) {
                    columns_forward(axes_[2], to + first, length(0) * length(1), lanes);
                });
            }
        }
    }

    void do_adjoint(Index batch, ArrayView grid, ArrayView image) const override {
        const std::lock_guard lock(scratch_mutex_);
        reserve_scratch();
        std::complex<T>* from = grid.data<T>();
        std::complex<T>* to = image.data<T>();
        const int threads = threads_for(batch);
#pragma omp parallel num_threads(threads) if (threads > 1)
        {
            if (length(2) > 1) {
                for_each_volume_column(batch, [&](Index first, Index lanes) {
                    columns_adjoint(axes_[2], from + first, length(0) * length(1), lanes);
                });
            }
            if (length(1) > 1) {
                for_each_plane_column(batch, [&](Index first, Index lanes) {
                    columns_adjoint(axes_[1], from + first, length(0), lanes);
                });
            }
            for_each_row_group(batch, [&](const RowGroup& group) { rows_adjoint(group, from, to); });
        }
    }

    /// Up to `lane_count` consecutive rows of one image, as one number over (y, z).
    struct RowGroup {
        Index volume;
        Index first;
        Index count;
    };

    Index length(int axis) const { return axes_[axis].fft.length(); }
    int threads_for(Index batch) const {
        constexpr double point_ns = 2;
        return worthwhile_threads(point_ns * static_cast<double>(batch * length(0) * length(1) * length(2)));
    }

    void reserve_scratch() const {
        stride_ = std::max({length(0), length(1), length(2)}) + 1;
        scratch_.require(stride_ * omp_get_max_threads());
    }
    Complex* buffer() const { return scratch_.data() + stride_ * omp_get_thread_num(); }

    template <class Function>
    void for_each_row_group(Index batch, const Function& function) const {
        const Index rows = axes_[1].n * axes_[2].n;
        const Index groups = (rows + width - 1) / width;
#pragma omp for schedule(dynamic, 4)
        for (Index job = 0; job < batch * groups; ++job) {
            const Index first = job % groups * width;
            function(RowGroup{job / groups, first, std::min<Index>(width, rows - first)});
        }
    }

    /// Groups of neighbouring columns along y in the planes that hold image.
    template <class Function>
    void for_each_plane_column(Index batch, const Function& function) const {
        const Index groups = (length(0) + width - 1) / width;
        const Index planes = axes_[2].n;
#pragma omp for schedule(dynamic, 4)
        for (Index job = 0; job < batch * planes * groups; ++job) {
            const Index plane = job / groups % planes;
            const Index volume = job / groups / planes;
            const Index x = job % groups * width;
            const Index z = axes_[2].grid_index[plane];
            function((volume * length(2) + z) * length(0) * length(1) + x, std::min<Index>(width, length(0) - x));
        }
    }

    /// Groups of neighbouring columns along z, everywhere. Neighbours in y continue those in x.
    template <class Function>
    void for_each_volume_column(Index batch, const Function& function) const {
        const Index plane_size = length(0) * length(1);
        const Index groups = (plane_size + width - 1) / width;
#pragma omp for schedule(dynamic, 4)
        for (Index job = 0; job < batch * groups; ++job) {
            const Index first = job % groups * width;
            function(job / groups * plane_size * length(2) + first, std::min<Index>(width, plane_size - first));
        }
    }

    Index row_offset(Index row) const { return row * axes_[0].n; }
    /// Offset, in one grid, of the row that image row (y, z) falls on.
    Index grid_row_offset(Index row) const {
        const Index y = axes_[1].grid_index[row % axes_[1].n];
        const Index z = axes_[2].grid_index[row / axes_[1].n];
        return (z * length(1) + y) * length(0);
    }
    T row_weight(Index row) const {
        return static_cast<T>(axes_[1].weight[row % axes_[1].n] * axes_[2].weight[row / axes_[1].n]);
    }

    void rows_forward(const RowGroup& group, const std::complex<T>* image, std::complex<T>* grid) const {
        const Axis<T>& axis = axes_[0];
        image += group.volume * image_shape().element_count();
        grid += group.volume * grid_shape().element_count();
        Complex* pencils = buffer();
        std::array<std::complex<T>*, width> grid_row;
        Lanes<T> lane_weight{};
        for (Index r = 0; r < group.count; ++r) {
            grid_row[r] = grid + grid_row_offset(group.first + r);
            lane_weight[r] = row_weight(group.first + r);
        }
        std::fill_n(pencils, length(0), Complex{});
        rows_to_lanes<T>(
            group.count, axis.n,
            [&](Index r, Index x) { return load(image + row_offset(group.first + r) + x, axis.n - x); },
            [&](Index x, Complex value) {
                const Lanes<T> weight = lane_weight * static_cast<T>(axis.weight[x]);
                pencils[axis.grid_index[x]] = {value.re * weight, value.im * weight};
            });
        axis.fft.forward_in_place(pencils, BatchedFft<T>::Part::all);
        lanes_to_rows<T>(
            group.count, length(0), [&](Index k) { return pencils[axis.fft.position_of(k)]; },
            [&](Index r, Index k, Complex value) { store(value, grid_row[r] + k, length(0) - k); });
    }

    void rows_adjoint(const RowGroup& group, const std::complex<T>* grid, std::complex<T>* image) const {
        const Axis<T>& axis = axes_[0];
        image += group.volume * image_shape().element_count();
        grid += group.volume * grid_shape().element_count();
        Complex* pencils = buffer();
        std::array<const std::complex<T>*, width> grid_row;
        Lanes<T> lane_weight{};
        for (Index r = 0; r < group.count; ++r) {
            grid_row[r] = grid + grid_row_offset(group.first + r);
            lane_weight[r] = row_weight(group.first + r);
        }
        rows_to_lanes<T>(
            group.count, length(0), [&](Index r, Index k) { return load(grid_row[r] + k, length(0) - k); },
            [&](Index k, Complex value) { pencils[axis.fft.position_of(k)] = value; });
        axis.fft.inverse_in_place(pencils, BatchedFft<T>::Part::all);
        lanes_to_rows<T>(
            group.count, axis.n,
            [&](Index x) {
                const Complex value = pencils[axis.grid_index[x]];
                const Lanes<T> weight = lane_weight * static_cast<T>(axis.weight[x]);
                return Complex{value.re * weight, value.im * weight};
            },
            [&](Index r, Index x, Complex value) {
                store(value, image + row_offset(group.first + r) + x, axis.n - x);
            });
    }

    /// load, and a hint that the columns beside these are next: no processor foresees strides longer than a page.
    static Complex load_of_column(const std::complex<T>* from, Index lanes) {
        constexpr Index line = 64 / sizeof(std::complex<T>);
        constexpr Index ahead = std::max<Index>(width, line);
        for (Index next = ahead; next < 2 * ahead; next += line) {
            __builtin_prefetch(from + next);
        }
        return load(from, lanes);
    }

    /// In place along a strided axis: `columns` points to grid index 0 of the first of `lanes` neighbouring columns.
    void columns_forward(const Axis<T>& axis, std::complex<T>* columns, Index stride, Index lanes) const {
        axis.fft.forward(
            buffer(), BatchedFft<T>::Part::all,
            [&](Index i) { return axis.holds_image[i] ? load_of_column(columns + i * stride, lanes) : Complex{}; },
            [&](Index p, Complex value) { store(value, columns + axis.fft.frequency_at(p) * stride, lanes); });
    }

    void columns_adjoint(const Axis<T>& axis, std::complex<T>* columns, Index stride, Index lanes) const {
        axis.fft.inverse(
            buffer(), BatchedFft<T>::Part::all,
            [&](Index p) { return load_of_column(columns + axis.fft.frequency_at(p) * stride, lanes); },
            [&](Index i, Complex value) {
                if (axis.holds_image[i]) {
                    store(value, columns + i * stride, lanes);
                }
            });
    }

    std::array<Axis<T>, 3> axes_;
    mutable std::mutex scratch_mutex_;  ///< one transform at a time uses the scratch
    mutable CpuBuffer<Complex> scratch_;
    mutable Index stride_ = 0;
};

}  // namespace

std::unique_ptr<PaddedFftPlan> make_cpu_padded_fft(const PaddedFftGeometry& geometry, Precision precision) {
    const PerAxis<Index> n = geometry.image.shape.matrix_size();
    const PerAxis<Index>& g = geometry.grid_size;
    for (int axis = 0; axis < 3; ++axis) {
        if (g[axis] < n[axis] || static_cast<Index>(geometry.weight[axis].size()) != n[axis]) {
            throw ShapeError(
                fmt::format("padded FFT, axis {}: grid size {} and {} weights for {} voxels, expected at "
                            "least {} and exactly {}",
                            "xyz"[axis], g[axis], geometry.weight[axis].size(), n[axis], n[axis], n[axis]));
        }
    }
    // An axis of length 1 changes nothing in memory: put such axes last, so that the passes see long rows.
    PerAxis<int> order{0, 1, 2};
    std::stable_partition(order.begin(), order.end(), [&](int axis) { return g[axis] > 1; });
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<PaddedFftPlan> {
        using T = decltype(tag);
        const auto axis = [&](int i) {
            return Axis<T>(n[order[i]], g[order[i]], geometry.image.origin[order[i]], geometry.weight[order[i]]);
        };
        return std::make_unique<CpuPaddedFft<T>>(std::array<Axis<T>, 3>{axis(0), axis(1), axis(2)}, geometry);
    });
}

}  // namespace recon
