#pragma once

#include <algorithm>
#include <type_traits>

#include "gpu/gridding/gridding_groups.cuh"
#include "gpu/gridding/gridding_layout.cuh"

namespace recon {

inline constexpr Index most_images_a_launch = 32768;
inline constexpr std::size_t slot_budget_bytes = std::size_t{1} << 30;

/// Elements of a row of a tile. Where the kernels move vectors, lanes that follow one another along x and y then meet
/// different banks of shared memory: as many vectors as the kernel touches, modulo the eight that one access moves.
template <class T>
Index row_length(Index cells, Index width, bool by_vectors) {
    constexpr Index vector = PointVector<T>::size;
    if (!by_vectors) {
        return cells + width;
    }
    const Index touched = vectors_of_row<T>(static_cast<int>(width));
    const Index last_first = (cells - 1) / vector;  // vector that the last sample of the tile begins in
    const Index least = last_first + touched;
    return vector * (least + ((touched - least) % 8 + 8) % 8);
}

template <class T>
bool has_bins(const GriddingGeometry& geometry, Index sample_count) {
    return std::is_same_v<T, float> && GriddingBins::serve(geometry, sample_count);
}

/// Tiles of at least the halo, and small enough that several fit into the shared memory of a multiprocessor. Parts
/// short enough that those of a small scan fill the device; a function of the scan alone, so that the order of
/// additions is the same on every device.
template <class T>
TileSizes tile_sizes(const GriddingGeometry& geometry, Index sample_count) {
    if (has_bins<T>(geometry, sample_count)) {
        return GriddingBins::tile_sizes(geometry, sample_count);
    }
    const Index width = geometry.kernel.width;
    const Index across = std::max<Index>(6, width - 1);
    const bool by_vectors = width <= 8 || std::ranges::count(geometry.grid_size, 1) > 0;
    return {{{{512, 1, 1}, {32, 32, 1}, {16, across, across}}},
            std::clamp<Index>(sample_count / 8192, 128, 1024),
            [=](Index cells) { return row_length<T>(cells, width, by_vectors); }};
}

/// Images whose slots exist at a time, from the bytes that one of them takes.
inline Index images_with_slots(std::size_t bytes, Index batch_count, std::size_t piece_bytes) {
    const std::size_t budget = std::min(slot_budget_bytes, piece_bytes);
    const auto affordable = static_cast<Index>(budget / std::max<std::size_t>(bytes, 1));
    return std::clamp<Index>(std::min(affordable, most_images_a_launch), 1, batch_count);
}

}  // namespace recon
