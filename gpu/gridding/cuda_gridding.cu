// Mirrors core/backend/cpu/cpu_gridding.cpp.
#include <algorithm>
#include <memory>
#include <type_traits>
#include <utility>

#include "core/base/error.hpp"
#include "core/fourier/kernel_polynomials.hpp"
#include "gpu/backend/cuda_backend.cuh"
#include "gpu/gridding/gridding_method.cuh"
#include "gpu/gridding/gridding_plan_kernels.cuh"
#include "gpu/gridding/gridding_tiles.cuh"

namespace recon {
namespace {

template <class T>
class CudaGridding final : public GriddingPlan {
public:
    CudaGridding(CudaBackend& backend, const Trajectory& trajectory, const GriddingGeometry& geometry)
        : GriddingPlan(geometry, trajectory.sample_count(), precision_of<T>), backend_(&backend) {
        const TileGrid tiles(geometry, tile_sizes<T>(geometry, trajectory.sample_count()));
        const bool in_bins = has_bins<T>(geometry, trajectory.sample_count());
        samples_ = sort_into_tiles<T>(backend.queue(), trajectory, geometry, tiles, in_bins);
        layout_.sample_count = trajectory.sample_count();
        if (tiles.axes.empty()) {
            return;
        }
        lay_out(tiles, geometry.kernel);
        divide(tiles);
        layout_.places = samples_.places.data();
        layout_.sources = samples_.sources.data();
        layout_.groups = samples_.groups.data();
        choose_methods(in_bins);
    }

    std::size_t plan_bytes() const override {
        Index part_count = all_parts_.size() + slot_parts_.size() + divided_tiles_.size();
        for (const Phase& phase : phases_) {
            part_count += phase.tiles.size();
        }
        return samples_.sources.size() * SortedSamples<T>::kept_bytes + samples_.groups.size() * sizeof(GriddingGroup) +
               part_count * sizeof(GriddingPart);
    }
    std::size_t scratch_bytes(Index batch_count) const override {
        const std::size_t bytes = layout_.slot_total * layout_.slot_size * sizeof(Complex);
        return images_with_slots(bytes, batch_count, backend_->queue().memory().piece_bytes()) * bytes;
    }

private:
    using Complex = DeviceComplex<T>;

    void do_spread(Index batch_count, ConstArrayView samples, ArrayView grid) const override {
        require_here(samples, grid);
        const Complex* from = as_device(samples.data<T>());
        Complex* to = as_device(grid.data<T>());
        const cudaStream_t stream = backend_->queue().stream();
        if (layout_.places == nullptr) {
            sum_samples_kernel<T>
                <<<static_cast<unsigned>(batch_count), 256, 0, stream>>>(from, layout_.sample_count, to);
            check_launch();
            return;
        }
        check(cudaMemsetAsync(to, 0, grid.size() * sizeof(Complex), stream));
        const Index slots_size = layout_.slot_total * layout_.slot_size;
        const Index at_once =
            images_with_slots(slots_size * sizeof(Complex), batch_count, backend_->queue().memory().piece_bytes());
        DeviceBuffer<Complex> slots;
        if (slots_size > 0) {
            slots = DeviceBuffer<Complex>(backend_->queue(), at_once * slots_size);
        }
        for (Index first = 0; first < batch_count; first += at_once) {
            spread_images(from + first * layout_.sample_count, to + first * layout_.grid_elements(), slots.data(),
                          std::min(at_once, batch_count - first));
        }
    }

    void do_interpolate(Index batch_count, ConstArrayView grid, ArrayView samples) const override {
        require_here(samples, grid);
        for (Index first = 0; first < batch_count; first += most_images_a_launch) {
            const Index images = std::min(most_images_a_launch, batch_count - first);
            const Index points = layout_.places == nullptr ? 1 : layout_.grid_elements();
            const Complex* from = as_device(grid.data<T>()) + first * points;
            Complex* to = as_device(samples.data<T>()) + first * layout_.sample_count;
            if (layout_.places == nullptr) {
                const dim3 blocks(blocks_for(layout_.sample_count, 256), static_cast<unsigned>(images));
                repeat_point_kernel<T><<<blocks, 256, 0, backend_->queue().stream()>>>(from, layout_.sample_count, to);
                check_launch();
            } else {
                interpolating_->interpolate(all_parts_, from, to, images);
            }
        }
    }

    /// Tiles that share no grid point.
    struct Phase {
        DeviceBuffer<GriddingPart> tiles;  ///< of one part
        Index first_divided;               ///< of the tiles of several parts, which have been spread into slots
        unsigned divided_count;
    };

    void lay_out(const TileGrid& tiles, const GriddingKernel& kernel) {
        const auto polynomials = KernelPolynomials::fit(kernel, harmless_value_error(kernel));
        std::ranges::copy(polynomials.coefficient, layout_.coefficient);
        layout_.degree = polynomials.degree;
        layout_.slot_size = tiles.local_size;
        const std::size_t axis_count = tiles.axes.size();
        for (std::size_t i = 0; i < 3; ++i) {
            layout_.grid_size[i] = i < axis_count ? static_cast<int>(tiles.axes[i].grid_size) : 1;
            layout_.points[i] = i < axis_count ? kernel.width : 1;
        }
        layout_.row_stride = static_cast<int>(axis_count > 1 ? tiles.axes[1].local_stride : tiles.local_size);
        layout_.plane_stride = static_cast<int>(axis_count > 2 ? tiles.axes[2].local_stride : tiles.local_size);
        layout_.slab_planes = axis_count > 2 ? static_cast<int>(tiles.axes[2].local_extent) : 1;
    }

    /// Bins where the samples are sorted into them; else whole tiles where shared memory holds them, and slabs of them
    /// where it does not.
    void choose_methods(bool in_bins) {
        if constexpr (std::is_same_v<T, float>) {
            if (in_bins) {
                spreading_ = interpolating_ = gridding_in_bins(backend_->queue(), layout_);
                return;
            }
        }
        const std::shared_ptr<const GriddingMethod<T>> tiles = gridding_in_tiles(backend_->queue(), layout_);
        spreading_ = interpolating_ = tiles;
        if (tiles->can_spread() && tiles->can_interpolate()) {
            return;
        }
        const std::shared_ptr<const GriddingMethod<T>> slabs = gridding_in_slabs(backend_->queue(), layout_);
        if (!tiles->can_spread()) {
            spreading_ = slabs;
        }
        if (!tiles->can_interpolate()) {
            interpolating_ = slabs;
        }
    }

    /// Parts of tiles with several of them are spread into slots, all at once; then, phase by phase, the other tiles
    /// are added to the grid, and the sums of the slots of each tile.
    void divide(const TileGrid& tiles) {
        std::vector<GriddingPart> all_parts;
        std::vector<GriddingPart> slot_parts;
        std::vector<GriddingPart> divided;
        for (const auto& phase : tiles.divide(samples_.tile_begin)) {
            std::vector<GriddingPart> whole;
            const auto first_divided = static_cast<Index>(divided.size());
            for (std::size_t i = 0; i < phase.parts.size();) {
                std::size_t end = i + 1;
                while (end < phase.parts.size() && phase.parts[end].queue == phase.parts[i].queue) {
                    ++end;
                }
                if (end - i == 1) {
                    whole.push_back(part_of(tiles, phase.parts[i], 0, 0));
                    all_parts.push_back(whole.back());
                } else {
                    const int count = static_cast<int>(end - i);
                    const auto first_slot = static_cast<Index>(slot_parts.size());
                    divided.push_back(part_of(tiles, phase.parts[i], count, first_slot));
                    for (std::size_t part = i; part < end; ++part) {
                        slot_parts.push_back(
                            part_of(tiles, phase.parts[part], count, first_slot + static_cast<Index>(part - i)));
                        all_parts.push_back(slot_parts.back());
                    }
                }
                i = end;
            }
            phases_.push_back({on_device(whole), first_divided, static_cast<unsigned>(divided.size() - first_divided)});
        }
        // What takes longest begins first.
        std::ranges::stable_sort(all_parts, std::greater<>{}, &GriddingPart::sample_count);
        all_parts_ = on_device(all_parts);
        slot_parts_ = on_device(slot_parts);
        divided_tiles_ = on_device(divided);
        layout_.slot_total = static_cast<Index>(slot_parts.size());
    }

    static GriddingPart part_of(const TileGrid& tiles, const TileGrid::Part& part, int slot_count, Index first_slot) {
        GriddingPart made{{0, 0, 0},  {1, 1, 1},         static_cast<int>(part.sample_count),
                          slot_count, part.first_sample, first_slot};
        for (std::size_t i = 0; i < tiles.axes.size(); ++i) {
            made.first_point[i] = static_cast<int>(part.first_point[i]);
            made.extent[i] = static_cast<int>(part.extent[i]);
        }
        return made;
    }

    DeviceBuffer<GriddingPart> on_device(const std::vector<GriddingPart>& parts) const {
        return parts.empty() ? DeviceBuffer<GriddingPart>()
                             : DeviceBuffer<GriddingPart>(backend_->queue(), std::span<const GriddingPart>(parts));
    }

    void spread_images(const Complex* samples, Complex* grid, Complex* slots, Index images) const {
        const DeviceBuffer<float> peaks = spreading_->peaks_of(samples, images);
        const auto spread = [&](const DeviceBuffer<GriddingPart>& parts) {
            if (parts.size() > 0) {
                spreading_->spread(parts, samples, peaks.data(), grid, slots, images);
            }
        };
        const auto count = static_cast<unsigned>(images);
        spread(slot_parts_);
        for (const Phase& phase : phases_) {
            spread(phase.tiles);
            if (phase.divided_count > 0) {
                constexpr int threads = 128;
                const dim3 blocks(phase.divided_count,
                                  static_cast<unsigned>((layout_.slot_size + threads - 1) / threads), count);
                add_slots_kernel<T><<<blocks, threads, 0, backend_->queue().stream()>>>(
                    layout_, divided_tiles_.data() + phase.first_divided, slots, grid);
                check_launch();
            }
        }
    }

    void require_here(ConstArrayView samples, ConstArrayView grid) const {
        backend_->require_here("samples of gridding", samples, precision_of<T>);
        backend_->require_here("grid of gridding", grid, precision_of<T>);
    }

    CudaBackend* backend_;
    GriddingLayout<T> layout_{};
    /// Often the same; none if the grid is a single point.
    std::shared_ptr<const GriddingMethod<T>> spreading_, interpolating_;
    SortedSamples<T> samples_;
    DeviceBuffer<GriddingPart> all_parts_;
    DeviceBuffer<GriddingPart> slot_parts_;
    DeviceBuffer<GriddingPart> divided_tiles_;
    std::vector<Phase> phases_;
};

}  // namespace

std::unique_ptr<GriddingPlan> make_cuda_gridding(CudaBackend& backend, const Trajectory& trajectory,
                                                 const GriddingGeometry& geometry, Precision precision) {
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<GriddingPlan> {
        return std::make_unique<CudaGridding<decltype(tag)>>(backend, trajectory, geometry);
    });
}

}  // namespace recon
