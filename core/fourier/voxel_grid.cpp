#include "core/fourier/voxel_grid.hpp"

namespace recon {

VoxelGrid VoxelGrid::image(PerAxis<Index> n) {
    VoxelGrid grid{Shape::image(n), {}, {}};
    for (int axis = 0; axis < 3; ++axis) {
        grid.origin[axis] = n[axis] / 2;
        grid.spacing[axis] = 1.0 / static_cast<double>(n[axis]);
    }
    return grid;
}

VoxelGrid VoxelGrid::differences(PerAxis<Index> n) {
    VoxelGrid grid{Shape::image({2 * n[0] - 1, 2 * n[1] - 1, 2 * n[2] - 1}), {}, {}};
    for (int axis = 0; axis < 3; ++axis) {
        grid.origin[axis] = n[axis] - 1;
        grid.spacing[axis] = 1.0 / static_cast<double>(n[axis]);
    }
    return grid;
}

}  // namespace recon
