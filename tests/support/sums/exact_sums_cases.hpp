#pragma once

#include <cmath>

#include "core/fourier/voxel_grid.hpp"

namespace recon::test {

/// A grid, and how many samples and images are summed over it.
struct ExactSumsCase {
    const char* name;
    VoxelGrid grid;
    Index sample_count;
    Index batch;

    /// Cycles per field of view that the grid resolves.
    PerAxis<Index> bandwidth() const {
        PerAxis<Index> cycles;
        for (int axis = 0; axis < 3; ++axis) {
            cycles[axis] = std::lround(1 / grid.spacing[axis]);
        }
        return cycles;
    }
};

inline VoxelGrid with_origin(PerAxis<Index> matrix_size, PerAxis<Index> origin) {
    VoxelGrid grid = VoxelGrid::image(matrix_size);
    grid.origin = origin;
    return grid;
}

/// Half of the difference grid of an image: the non-negative half along y.
inline VoxelGrid half_differences(PerAxis<Index> matrix_size) {
    VoxelGrid grid = VoxelGrid::differences(matrix_size);
    PerAxis<Index> extent = grid.shape.matrix_size();
    extent[1] = matrix_size[1];
    grid.shape = Shape::image(extent);
    grid.origin[1] = 0;
    return grid;
}

inline std::vector<ExactSumsCase> exact_sums_cases() {
    return {{"one_voxel", VoxelGrid::image({1, 1, 1}), 1, 1},
            {"one_sample", VoxelGrid::image({6, 5, 4}), 1, 2},
            {"odd", VoxelGrid::image({9, 11, 7}), 257, 1},
            {"unequal", VoxelGrid::image({20, 3, 34}), 700, 3},
            {"prime", VoxelGrid::image({17, 19, 23}), 521, 5},
            {"two_dimensions", VoxelGrid::image({33, 40, 1}), 1000, 2},
            {"two_dimensions_yz", VoxelGrid::image({1, 13, 29}), 300, 1},
            {"line", VoxelGrid::image({1, 67, 1}), 100, 2},
            {"long_line", VoxelGrid::image({1009, 1, 1}), 5000, 1},
            {"wide", VoxelGrid::image({300, 5, 2}), 1500, 1},
            {"full_tiles", VoxelGrid::image({128, 32, 4}), 640, 1},
            {"thin", VoxelGrid::image({2, 1, 301}), 333, 1},
            {"origin_first", with_origin({12, 9, 14}, {0, 0, 0}), 400, 1},
            {"origin_last", with_origin({12, 9, 14}, {11, 8, 13}), 400, 1},
            {"origin_outside", with_origin({12, 1, 35}, {-3, 4, 40}), 400, 1},
            {"differences", VoxelGrid::differences({8, 7, 9}), 300, 1},
            {"half_differences", half_differences({8, 7, 9}), 300, 1}};
}

}  // namespace recon::test
