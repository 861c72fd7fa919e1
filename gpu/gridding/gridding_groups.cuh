#pragma once

#include <vector>

#include "gpu/device/cuda_queue.cuh"
#include "gpu/gridding/gridding_bins.cuh"

namespace recon {

/// Samples that are sorted by tile and bin, in groups that lie in one bin each.
struct GriddingGroups {
    DeviceBuffer<GriddingGroup> groups;  ///< and one behind the last, whose first sample is the number of samples
    std::vector<Index> tile_begin;       ///< as TileGrid::divide wants it, in groups

    static Index most(Index sample_count, Index bin_count) {
        return sample_count / GriddingBins::samples_at_once + std::min(sample_count, bin_count);
    }
};

/// begin[key] = how many of the sorted keys are less; key_count + 1 numbers.
DeviceBuffer<Index> begin_of_keys(CudaQueue& queue, const std::uint32_t* sorted_keys, Index sample_count,
                                  Index key_count);

/// @param begin  of the bins of all tiles
GriddingGroups group_samples(CudaQueue& queue, const DeviceBuffer<Index>& begin, Index tile_count, int width);

}  // namespace recon
