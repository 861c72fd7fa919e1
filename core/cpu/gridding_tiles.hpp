#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/plans.hpp"

namespace recon {

/// How samples are divided among tiles, and tiles among threads; as the caches of a processor like it, unless said.
struct TileSizes {
    /// Cells of a tile along each axis, by number of axes; a tile may have half as many again.
    PerAxis<PerAxis<Index>> cells{{{1024, 1, 1}, {48, 32, 1}, {16, 16, 16}}};
    Index largest_part = 2048;  ///< samples
};

/// The samples of a trajectory sorted into tiles of the oversampled grid, once per plan. (docs/nufft.md)
///
/// A sample belongs to the tile that holds the first grid point it touches along every axis, so a tile touches its own
/// cells and a halo of width - 1 points behind them. Axes of grid size 1 take no part: `axes` holds the others.
///
/// Tiles of one phase touch no common grid point. Phases follow one another, and the parts of a tile are added in
/// order, so sums on the grid never depend on the number of threads.
template <class T>
struct GriddingTiles {
    struct Axis {
        int image_axis;  ///< 0, 1, 2 for x, y, z
        Index grid_size;
        Index grid_stride;   ///< elements
        Index tile_count;    ///< even, or 1
        Index local_extent;  ///< points of the largest tile with its halo
        Index local_stride;  ///< elements

        Index tile_start(Index tile) const { return tile * grid_size / tile_count; }
        Index tile_of(Index point) const { return ((point + 1) * tile_count - 1) / grid_size; }
    };

    struct Sample {
        Index source;                   ///< index in acquisition order
        std::int32_t local_offset;      ///< element of the tile's local buffer that holds the first grid point
        std::array<T, 3> polynomial_t;  ///< argument of KernelPolynomials, per entry of `axes`
    };

    /// A run of samples of one tile, small enough for one thread at a time.
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

    /// @param unit_points  local rows begin at multiples of this, as the inner loops want them
    /// @param row_points  grid points that the inner loops read and write along x, from such a multiple on
    /// @param sizes  of tiles and parts
    /// @throws InputError if a coordinate is not finite or absurdly far outside
    GriddingTiles(const Trajectory& trajectory, const GriddingGeometry& geometry, Index unit_points, Index row_points,
                  const TileSizes& sizes = {});

    std::vector<Axis> axes;  ///< fastest first; none if the grid is a single point
    Index local_size = 1;    ///< elements of the local buffer of a tile
    std::vector<Phase> phases;
    std::vector<Sample> samples;  ///< sorted

    static constexpr Index largest_part = TileSizes{}.largest_part;
};

extern template struct GriddingTiles<float>;
extern template struct GriddingTiles<double>;

}  // namespace recon
