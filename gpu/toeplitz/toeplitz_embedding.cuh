#pragma once

#include <algorithm>

#include "core/backend/array.hpp"
#include "gpu/fft/pencil_fft_plan.cuh"

namespace recon {

/// Length L >= 2N - 1 of the periodic grid that is cheapest to transform: bytes and butterflies both grow with L, the
/// latter with the number of passes too. Multiples of 16 keep rows aligned to the lines of the cache.
inline Index embedding_length(Index n) {
    if (n == 1) {
        return 1;
    }
    Index best = 0;
    double best_cost = 0;
    for (Index length = 2 * n - 1; best == 0 || static_cast<double>(length) * 4 < best_cost; ++length) {
        const std::size_t pass_count = pencil_radices(length, butterfly::largest_radix<float>).size();
        const double cost = static_cast<double>(length) * static_cast<double>(3 + pass_count) *
                            (length % 2    ? 1.3
                             : length % 16 ? 1.05
                                           : 1.0);
        if (pass_count > 0 && (best == 0 || cost < best_cost)) {
            best = length;
            best_cost = cost;
        }
    }
    return best;
}

/// Image and grid, axes of extent 1 (which change nothing in memory) put last.
struct Embedding {
    /// Where the convolution with Q is linear.
    explicit Embedding(const Shape& image_shape) : image(short_axes_last(image_shape.matrix_size())) {
        std::ranges::transform(image, grid.begin(), embedding_length);
    }
    /// One of that size, which has one point along an axis of one voxel.
    Embedding(const Shape& image_shape, const PerAxis<Index>& grid_size)
        : image(short_axes_last(image_shape.matrix_size())), grid(short_axes_last(grid_size)) {}

    static PerAxis<Index> short_axes_last(PerAxis<Index> extents) {
        std::stable_partition(extents.begin(), extents.end(), [](Index extent) { return extent > 1; });
        return extents;
    }
    Index image_size() const { return image[0] * image[1] * image[2]; }
    Index grid_size() const { return grid[0] * grid[1] * grid[2]; }

    PerAxis<Index> image;
    PerAxis<Index> grid{};
};

/// How many coils go through the passes together, and how wide the slabs are.
struct SlabPieces {
    /// @param rows_bytes, slab_bytes  of the intermediate numbers after the pass along x, and of those along y and z
    SlabPieces(const Embedding& embedding, Index coil_count, Index complex, Index rows_bytes, Index slab_bytes) {
        const Index rows = embedding.grid[0] * embedding.image[1] * embedding.image[2] * complex;
        coils = std::clamp<Index>(rows_bytes / rows, 1, coil_count);
        bytes = coils * rows;
        if (embedding.grid[2] == 1) {
            return;
        }
        // x frequencies of a slab: a multiple of 16 that divides the work evenly, for all the coils if they fit, as
        // these take the spectrum from the cache together.
        constexpr Index step = 16;
        const Index column_bytes = embedding.grid[1] * embedding.image[2] * complex;
        const Index groups = (embedding.grid[0] + step - 1) / step;
        const Index groups_at_once = std::clamp<Index>(slab_bytes / (step * column_bytes * coils), 1, groups);
        const Index slab_count = (groups + groups_at_once - 1) / groups_at_once;
        slab_width = std::min(embedding.grid[0], (groups + slab_count - 1) / slab_count * step);
        slab_coils = std::clamp<Index>(slab_bytes / (slab_width * column_bytes), 1, coils);
        bytes += slab_coils * slab_width * column_bytes;
    }

    Index coils = 1;
    Index slab_width = 0;  ///< x frequencies; 0 where there are but two axes
    Index slab_coils = 1;
    Index bytes = 0;  ///< of both
};

}  // namespace recon
