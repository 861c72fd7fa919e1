#include "data/reading/scan/image_axes.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/reading/stored/trajectory_unit.hpp"

namespace recon {

PerAxis<bool> moving_axes(const PerAxis<double>& extent) {
    // of the longest axis: what rounding leaves of a slice gradient that is rewound, as in sequences of Pulseq
    constexpr double remnant = 1e-4;
    const double least = remnant * *std::max_element(extent.begin(), extent.end());
    return {extent[0] > least, extent[1] > least, extent[2] > least};
}

PerAxis<bool> image_axes(const Scan& scan) {
    const PerAxis<Index>& matrix = scan.geometry.matrix_size;
    const PerAxis<bool> moving = moving_axes(trajectory_extent(scan.frames));
    PerAxis<bool> axes{};
    for (int axis = 0; axis < 3; ++axis) {
        axes[axis] = matrix[axis] == 0 ? moving[axis] : matrix[axis] > 1;
    }
    return axes;
}

PerAxis<Index> matrix_of_trajectory(const std::vector<Frame>& frames) {
    const PerAxis<double> extent = trajectory_extent(frames);
    PerAxis<Index> matrix{1, 1, 1};
    for (int axis = 0; axis < 3; ++axis) {
        constexpr double rounding = 1e-4;  // cycles; positions are stored as floats
        constexpr double most = 1e6;       // beyond what check_matrix_size lets pass
        const double half = std::ceil(std::min(extent[axis], most) - rounding);
        matrix[axis] = half > 0 ? static_cast<Index>(2 * half) : 1;
    }
    log_info("the image gets {} x {} x {} voxels, twice the farthest positions; `matrix` gives others", matrix[0],
             matrix[1], matrix[2]);
    return matrix;
}

void check_axes(const Scan& scan) {
    const PerAxis<double> extent = trajectory_extent(scan.frames);
    constexpr const char* names[] = {"x", "y", "z"};
    constexpr double no_remnant = 2;  // cycles; a third component is at times something else, such as weights
    for (int axis = 0; axis < 2; ++axis) {
        if (scan.geometry.matrix_size[axis] == 1 && extent[axis] > no_remnant) {
            throw InputError(fmt::format(
                "{}: the trajectory moves along {} (up to {:.4g} cycles per field of view), where the image has one "
                "voxel (its matrix is {} x {} x {}); give `matrix` with voxels along {}",
                scan.path, names[axis], extent[axis], scan.geometry.matrix_size[0], scan.geometry.matrix_size[1],
                scan.geometry.matrix_size[2], names[axis]));
        }
    }
    for (int axis = 0; axis < 3; ++axis) {
        const bool one_voxel = scan.geometry.matrix_size[axis] == 1;
        if (one_voxel && extent[axis] > 0.5) {  // cycles over the only voxel: more than half a turn
            log_warning(
                "the trajectory moves along {} (up to {:.4g} cycles per field of view), where the image has one "
                "voxel: that motion is ignored",
                names[axis], extent[axis]);
        } else if (!one_voxel && extent[axis] == 0) {
            log_warning(
                "the image has {} voxels along {}, but the trajectory never leaves k{} = 0: nothing but coils tells "
                "them apart",
                scan.geometry.matrix_size[axis], names[axis], names[axis]);
        }
    }
}

}  // namespace recon
