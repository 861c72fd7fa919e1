#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "core/backend/tile_grid.hpp"
#include "core/base/cpu_memory.hpp"

namespace recon {

/// As the caches of a processor like it.
/// @param unit_points, row_points  as of GriddingTiles
TileSizes cpu_tile_sizes(Index unit_points, Index row_points);

/// The samples of a trajectory sorted into tiles of the oversampled grid, once per plan. (docs/nufft.md)
template <class T>
struct GriddingTiles : TileGrid {
    struct Sample {
        Index source;                   ///< index in acquisition order
        std::int32_t local_offset;      ///< element of the tile's local buffer that holds the first grid point
        std::array<T, 3> polynomial_t;  ///< argument of KernelPolynomials, per entry of `axes`
    };

    /// @param unit_points  local rows begin at multiples of this, as the inner loops want them
    /// @param row_points  grid points that the inner loops read and write along x, from such a multiple on
    /// @throws InputError if a coordinate is not finite or absurdly far outside
    GriddingTiles(const Trajectory& trajectory, const GriddingGeometry& geometry, Index unit_points, Index row_points);

    std::vector<Phase> phases;
    CpuBuffer<Sample> samples;  ///< sorted
};

extern template struct GriddingTiles<float>;
extern template struct GriddingTiles<double>;

}  // namespace recon
