#include "gpu/gridding/gridding_memory.hpp"

#include <algorithm>

#include "gpu/backend/cuda_backend.cuh"
#include "gpu/backend/cuda_plan_sizes.cuh"
#include "gpu/gridding/gridding_tiles.cuh"

namespace recon {
namespace {

/// A tile of c items, samples or groups of them, has up to 1 + c / largest_part parts, and a divided one up to
/// 2 c / largest_part.
template <class T>
GriddingMemory most_memory(const GriddingGeometry& geometry, Index sample_count, Index batch_count,
                           std::size_t piece_bytes) {
    const TileGrid tiles(geometry, tile_sizes<T>(geometry, sample_count));
    if (tiles.axes.empty()) {
        return {0, sample_count * sizeof(double), 0};
    }
    const bool in_bins = has_bins<T>(geometry, sample_count);
    const Index bin_count = in_bins ? tiles.tile_count * GriddingBins::per_tile : 0;
    const Index item_count = in_bins ? GriddingGroups::most(sample_count, bin_count) : sample_count;
    const Index tile_count = std::min(item_count, tiles.tile_count);
    const Index part_count = tile_count + item_count / tiles.largest_part;
    const Index slot_count = std::min(part_count, 2 * item_count / tiles.largest_part);
    const std::size_t slots_bytes = slot_count * tiles.local_size * sizeof(DeviceComplex<T>);
    // On the device each part is listed twice, each divided tile once more.
    const std::size_t parts_bytes = (2 * part_count + std::min(tile_count, slot_count)) * sizeof(GriddingPart);
    const std::size_t groups_bytes = in_bins ? (item_count + 1) * sizeof(GriddingGroup) : 0;
    const std::size_t plan_bytes = sample_count * SortedSamples<T>::kept_bytes + groups_bytes + parts_bytes;
    const std::size_t sort_bytes = sample_count * SortedSamples<T>::peak_bytes + groups_bytes +
                                   (2 * tiles.tile_count + 2 * bin_count) * sizeof(Index) + sample_count / 4 +
                                   (std::size_t{1} << 22);  // the last two: scratch of the sort
    return {plan_bytes, std::max(plan_bytes, sort_bytes),
            std::max(slots_bytes, std::min({batch_count * slots_bytes, slot_budget_bytes, piece_bytes}))};
}

}  // namespace

GriddingMemory cuda_gridding_memory(const GriddingGeometry& geometry, Index sample_count, Index batch_count,
                                    Precision precision, std::size_t piece_bytes) {
    return with_precision(precision, [&](auto tag) {
        return most_memory<decltype(tag)>(geometry, sample_count, batch_count, piece_bytes);
    });
}

PlanBytes CudaPlanSizes::gridding(const GriddingGeometry& geometry, Index sample_count, Index image_count,
                                  Precision precision, std::size_t piece_bytes) const {
    const GriddingMemory most = cuda_gridding_memory(geometry, sample_count, image_count, precision, piece_bytes);
    constexpr std::size_t coefficients = 32 * GriddingKernel::max_width * sizeof(double);
    return {most.plan_bytes + coefficients, most.making_bytes - most.plan_bytes, most.scratch_bytes};
}

}  // namespace recon
