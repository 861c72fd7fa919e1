#pragma once

#include <algorithm>
#include <string>
#include <type_traits>

#include "core/base/error.hpp"
#include "gpu/gridding/gridding_bin_interpolation.cuh"
#include "gpu/gridding/gridding_bin_spreading.cuh"
#include "gpu/gridding/gridding_slab_kernels.cuh"
#include "gpu/gridding/gridding_tile_kernels.cuh"

namespace recon {

/// Which kernels a plan launches, and how: products of matrices where samples are in bins, else whole tiles in shared
/// memory where they fit, slabs of them otherwise.
template <class T>
class GriddingLaunches {
public:
    using Complex = DeviceComplex<T>;

    /// @param planes  of the largest tile. Sets layout.slab_planes.
    /// @throws DeviceError if shared memory does not hold a single plane
    GriddingLaunches(const CudaQueue& queue, GriddingLayout<T>& layout, int planes, bool has_bins)
        : bytes_of_device_(queue.shared_memory_per_block()), has_bins_(has_bins) {
        if (has_bins) {
            layout.slab_planes = planes;
            return;
        }
        const std::size_t most_bytes = std::min(slab_bytes, bytes_of_device_);
        layout.slab_planes = planes;
        while (layout.slab_planes > 1 && GriddingBlock<T>::shared_bytes(layout) > most_bytes) {
            --layout.slab_planes;
        }
        if (GriddingBlock<T>::shared_bytes(layout) > bytes_of_device_) {
            throw DeviceError(queue.name() + ": gridding with kernel width " + std::to_string(layout.points[0]) +
                              " needs " + std::to_string(GriddingBlock<T>::shared_bytes(layout)) +
                              " bytes of shared memory a block, and the device has " +
                              std::to_string(bytes_of_device_) + "; use a larger tolerance or `device` cpu");
        }
        layout_ = layout;
        const bool whole = layout.points[2] == 1 || (layout.points[2] <= widest_whole && layout.slab_planes == planes);
        spreads_tiles_ = whole && tile_bytes(1) <= most_tile_bytes;
        interpolates_tiles_ = whole && tile_bytes(interpolating_warps) <= bytes_of_device_;
    }

    /// Once, when the layout is complete.
    void set_layout(const GriddingLayout<T>& layout) {
        layout_ = layout;
        const auto allow = [&](auto kernel) {
            // All that a block can have: the limit belongs to the kernel, which other plans use too.
            const auto* function = reinterpret_cast<const void*>(kernel);
            check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                       static_cast<int>(bytes_of_device_)));
            check(cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout,
                                       cudaSharedmemCarveoutMaxShared));
        };
        if (has_bins_) {
            with_width([&](auto width) {
                allow(spread_bins_kernel<width()>);
                allow(interpolate_bins_kernel<width()>);
            });
            return;
        }
        with_spread_kernel(allow);
        with_interpolate_kernel(allow);
    }

    bool has_bins() const { return has_bins_; }

    /// What spreading in bins scales the samples of each image by.
    void find_peaks(const Complex* samples, Index images, float* peaks, cudaStream_t stream) const {
        if constexpr (std::is_same_v<T, float>) {
            constexpr int threads = 256;
            check(cudaMemsetAsync(peaks, 0, images * sizeof(float), stream));
            const dim3 blocks(std::min(1024U, blocks_for(layout_.sample_count, threads)),
                              static_cast<unsigned>(images));
            peak_kernel<threads><<<blocks, threads, 0, stream>>>(samples, layout_.sample_count, peaks);
            check_launch();
        }
    }

    /// Spreads the samples of `images` images, a block for each part and image.
    /// @param peaks  with bins, of find_peaks
    void spread(const DeviceBuffer<GriddingPart>& parts, const Complex* samples, const float* peaks, Complex* grid,
                Complex* slots, Index images, cudaStream_t stream) const {
        if (parts.size() == 0) {
            return;
        }
        if (has_bins_) {
            with_width([&](auto width) {
                spread_bins_kernel<width()>
                    <<<blocks_of(parts, images), 32 * bin_spreading_warps, spread_bins_bytes<width()>(), stream>>>(
                        layout_, parts.data(), peaks, samples, grid, slots);
            });
            check_launch();
            return;
        }
        with_spread_kernel([&](auto kernel) {
            const int warps = spreads_tiles_ ? 1 : slab_spreading_warps();
            const std::size_t bytes = spreads_tiles_ ? tile_bytes(warps) : GriddingBlock<T>::shared_bytes(layout_);
            kernel<<<blocks_of(parts, images), 32 * warps, bytes, stream>>>(layout_, parts.data(), samples, grid,
                                                                            slots);
        });
        check_launch();
    }

    void interpolate(const DeviceBuffer<GriddingPart>& parts, const Complex* grid, Complex* samples, Index images,
                     cudaStream_t stream) const {
        if (has_bins_) {
            with_width([&](auto width) {
                interpolate_bins_kernel<width()>
                    <<<blocks_of(parts, images), 32 * bin_interpolating_warps, interpolate_bins_bytes<width()>(),
                       stream>>>(layout_, parts.data(), grid, samples);
            });
            check_launch();
            return;
        }
        with_interpolate_kernel([&](auto kernel) {
            const int warps = interpolates_tiles_ ? interpolating_warps : slab_interpolating_warps;
            const std::size_t bytes = interpolates_tiles_ ? tile_bytes(warps) : GriddingBlock<T>::shared_bytes(layout_);
            kernel<<<blocks_of(parts, images), 32 * warps, bytes, stream>>>(layout_, parts.data(), grid, samples);
        });
        check_launch();
    }

private:
    static constexpr std::size_t slab_bytes = std::size_t{88} << 10;  ///< with the weights, two blocks a multiprocessor
    static constexpr std::size_t most_tile_bytes = std::size_t{46} << 10;  ///< of a warp that spreads: five at a time
    static constexpr int slab_interpolating_warps = 8;
    static constexpr int widest_whole = 8;  ///< kernel whose planes fit into registers
    static constexpr int most_slab_rounds = (GriddingKernel::max_width * GriddingKernel::max_width + 31) / 32;
    static constexpr int most_tile_rounds =
        (vectors_of_row<T>(GriddingKernel::max_width) * GriddingKernel::max_width + 31) / 32;

    /// Calls function with std::integral_constant<int, count>, for counts from 1 to `most`.
    template <int most, class Function>
    static void with_count(int count, Function&& function) {
        if constexpr (most > 1) {
            if (count < most) {
                with_count<most - 1>(count, function);
                return;
            }
        }
        function(std::integral_constant<int, most>{});
    }

    /// Calls function(width of the kernel) as std::integral_constant where there may be bins.
    template <class Function>
    void with_width(Function&& function) const {
        if constexpr (std::is_same_v<T, float>) {
            with_count<GriddingBins::widest>(layout_.points[0], [&](auto width) {
                if constexpr (width() >= GriddingKernel::min_width) {
                    function(width);
                }
            });
        }
    }

    static constexpr int tile_rounds(int width) { return (vectors_of_row<T>(width) * width + 31) / 32; }

    /// Calls function(rounds, planes) of the kernels for whole tiles, as std::integral_constant.
    template <class Function>
    void with_tile(Function&& function) const {
        if (layout_.points[2] > 1) {
            with_count<widest_whole>(layout_.points[2], [&](auto width) {
                function(std::integral_constant<int, tile_rounds(width())>{}, width);
            });
        } else {
            const int vectors = vectors_of_row<T>(layout_.points[0]) * layout_.points[1];
            with_count<most_tile_rounds>((vectors + 31) / 32,
                                         [&](auto rounds) { function(rounds, std::integral_constant<int, 1>{}); });
        }
    }

    std::size_t tile_bytes(int warps) const {
        std::size_t bytes = 0;
        with_tile([&](auto, auto planes) { bytes = tile_kernel_bytes<T, planes()>(layout_, warps); });
        return bytes;
    }

    static dim3 blocks_of(const DeviceBuffer<GriddingPart>& parts, Index images) {
        return {static_cast<unsigned>(parts.size()), static_cast<unsigned>(images)};
    }

    /// Planes of a kernel that a warp which spreads into a slab has under way, as registers allow.
    static constexpr int most_planes(int rounds) { return rounds <= 2 ? 4 : rounds <= 4 ? 2 : 1; }

    int slab_rounds() const { return (layout_.points[0] * layout_.points[1] + 31) / 32; }
    /// Enough warps to keep a multiprocessor busy with the blocks whose slabs it holds.
    int slab_spreading_warps() const {
        const std::size_t bytes = GriddingBlock<T>::shared_bytes(layout_);
        return bytes > (64 << 10) ? 8 : bytes > (40 << 10) ? 4 : 2;
    }

    template <class Function>
    void with_spread_kernel(Function&& function) const {
        if (spreads_tiles_) {
            with_tile([&](auto rounds, auto planes) { function(spread_tile_kernel<T, rounds(), planes()>); });
        } else {
            with_count<most_slab_rounds>(slab_rounds(), [&](auto rounds) {
                constexpr int most = most_planes(rounds());
                const int planes = (layout_.points[2] + slab_spreading_warps() - 1) / slab_spreading_warps();
                with_count<most>(std::min(planes, most),
                                 [&](auto count) { function(spread_slab_kernel<T, rounds(), count()>); });
            });
        }
    }

    template <class Function>
    void with_interpolate_kernel(Function&& function) const {
        if (interpolates_tiles_) {
            with_tile([&](auto rounds, auto planes) { function(interpolate_tile_kernel<T, rounds(), planes()>); });
        } else {
            with_count<most_slab_rounds>(slab_rounds(),
                                         [&](auto rounds) { function(interpolate_slab_kernel<T, rounds()>); });
        }
    }

    std::size_t bytes_of_device_;
    bool has_bins_;
    GriddingLayout<T> layout_;
    bool spreads_tiles_ = false;
    bool interpolates_tiles_ = false;
};

}  // namespace recon
