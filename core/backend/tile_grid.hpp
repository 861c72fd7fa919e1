#pragma once

#include <functional>
#include <span>
#include <vector>

#include "core/backend/plans.hpp"

namespace recon {

/// How samples are divided among tiles, and tiles among threads or blocks of threads: as memory and caches like it.
struct TileSizes {
    /// Cells of a tile along each axis, by number of axes; a tile may have half as many again, unless they are a limit.
    PerAxis<PerAxis<Index>> cells;
    Index largest_part;                      ///< samples
    std::function<Index(Index)> row_length;  ///< elements of a row in a tile's local buffer, from the tile's cells
    /// Likewise along the other axes; none: as many as a tile with its halo has.
    std::function<Index(Index)> column_length = {};
    bool are_limits = false;  ///< no tile has more cells, unless it would be smaller than the halo
};

/// The tiles of an oversampled grid, for gridding on any backend. (docs/nufft.md)
///
/// A sample belongs to the tile that holds the first grid point it touches along every axis, so a tile touches its own
/// cells and a halo of width - 1 points behind them. Axes of grid size 1 take no part: `axes` holds the others.
///
/// Tiles of one phase touch no common grid point. Phases follow one another, and the parts of a tile are added in
/// order, so sums on the grid never depend on the number of threads.
struct TileGrid {
    struct Axis {
        int image_axis;  ///< 0, 1, 2 for x, y, z
        Index grid_size;
        Index grid_stride;   ///< elements
        Index tile_count;    ///< even, or 1
        Index local_extent;  ///< points that the local buffer has, those of the largest tile with its halo at least
        Index local_stride;  ///< elements

        Index tile_start(Index tile) const { return tile * grid_size / tile_count; }
        Index tile_of(Index point) const { return ((point + 1) * tile_count - 1) / grid_size; }
    };

    /// A run of samples of one tile, small enough for one thread or block at a time.
    struct Part {
        PerAxis<Index> first_point;  ///< of the tile, per entry of `axes`
        PerAxis<Index> extent;       ///< of the tile with its halo
        Index first_sample;          ///< in sorted order
        Index sample_count;
        Index queue;       ///< parts of one tile share a queue
        Index queue_rank;  ///< place in that queue
    };

    struct Phase {
        std::vector<Part> parts;  ///< tiles with many samples first, parts of a tile in order
        Index queue_count = 0;
    };

    TileGrid(const GriddingGeometry& geometry, const TileSizes& sizes);

    /// The work on samples that are sorted by tile: those of tile i are tile_begin[i], ..., tile_begin[i + 1] - 1.
    /// @param tile_begin  tile_count + 1 places; the first axis is the fastest
    std::vector<Phase> divide(std::span<const Index> tile_begin) const;

    std::vector<Axis> axes;  ///< fastest first; none if the grid is a single point
    Index local_size = 1;    ///< elements of the local buffer of a tile
    Index tile_count = 1;
    Index largest_part;  ///< samples
    int width;           ///< of the kernel
};

/// Grid coordinates beyond this have lost their fraction in double.
inline constexpr double largest_grid_coordinate = 1e9;

/// @throws InputError  always: this coordinate is not finite or absurdly far outside
[[noreturn]] void refuse_sample(const Trajectory& trajectory, int axis, Index sample);

}  // namespace recon
