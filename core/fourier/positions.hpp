#pragma once

#include <optional>
#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {

/// Positions in fields of view, one list per component. They need not lie on a grid.
struct Positions {
    PerAxis<std::vector<double>> r;

    Index count() const { return static_cast<Index>(r[0].size()); }

    /// Every voxel of a grid, x fastest.
    static Positions of(const VoxelGrid& grid);
    /// Chosen voxels: offsets into a grid, x fastest. @throws ShapeError if one is not in the grid
    static Positions of(const VoxelGrid& grid, std::span<const Index> voxels);
};

/// The grid whose voxels these are, x fastest, if every component is within `tolerance` times the largest of its axis.
std::optional<VoxelGrid> grid_of(const Positions& positions, double tolerance);

/// @throws ShapeError, naming `what`, if the three lists differ in length
void require_equal_lengths(const char* what, const PerAxis<std::vector<double>>& components);

}  // namespace recon
