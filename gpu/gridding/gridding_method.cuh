#pragma once

#include <algorithm>
#include <memory>
#include <type_traits>

#include "gpu/gridding/gridding_layout.cuh"

namespace recon {

/// A way to spread samples and to interpolate at them: its kernels, and how they are launched for a plan. Parts are
/// those of the plan, a block of threads for each part and image.
template <class T>
class GriddingMethod {
public:
    using Complex = DeviceComplex<T>;
    using Parts = DeviceBuffer<GriddingPart>;

    virtual ~GriddingMethod() = default;

    /// Whether the device has the shared memory for it.
    virtual bool can_spread() const { return true; }
    virtual bool can_interpolate() const { return true; }

    /// What spread() wants to know of the samples of each image beforehand; nothing, but for bins.
    virtual DeviceBuffer<float> peaks_of(const Complex*, Index) const { return {}; }
    virtual void spread(const Parts& parts, const Complex* samples, const float* peaks, Complex* grid, Complex* slots,
                        Index images) const = 0;
    virtual void interpolate(const Parts& parts, const Complex* grid, Complex* samples, Index images) const = 0;
};

// Each from a file of its own. `layout` is complete, with slab_planes of the largest tile; `queue` outlives the method.

/// Products of matrices on tensor cores, for samples in bins.
std::unique_ptr<GriddingMethod<float>> gridding_in_bins(CudaQueue& queue, const GriddingLayout<float>& layout);

/// One sample after the other, in tiles that shared memory holds as a whole.
template <class T>
std::unique_ptr<GriddingMethod<T>> gridding_in_tiles(CudaQueue& queue, const GriddingLayout<T>& layout);

/// The same, for as many planes of a tile at a time as shared memory holds.
/// @throws DeviceError if it does not hold a single one
template <class T>
std::unique_ptr<GriddingMethod<T>> gridding_in_slabs(CudaQueue& queue, const GriddingLayout<T>& layout);

/// Calls function with std::integral_constant<int, count>, for counts from 1 to `most`.
template <int most, class Function>
void with_count(int count, Function&& function) {
    if constexpr (most > 1) {
        if (count < most) {
            with_count<most - 1>(count, function);
            return;
        }
    }
    function(std::integral_constant<int, most>{});
}

/// All the shared memory that a block can have: the limit belongs to the kernel, which other plans use too.
template <class Kernel>
void allow_shared_memory(const CudaQueue& queue, Kernel kernel) {
    const auto* function = reinterpret_cast<const void*>(kernel);
    check(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize,
                               static_cast<int>(queue.shared_memory_per_block())));
    check(
        cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout, cudaSharedmemCarveoutMaxShared));
}

/// Load the machine code of these methods on the current device, ahead of the first plan.
void load_gridding_in_bins();
void load_gridding_in_slabs();  ///< in double precision, as Q takes it

inline dim3 blocks_of(const DeviceBuffer<GriddingPart>& parts, Index images) {
    return {static_cast<unsigned>(parts.size()), static_cast<unsigned>(images)};
}

}  // namespace recon
