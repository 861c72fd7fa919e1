#pragma once

#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// The axes along which a trajectory moves, by more than rounding leaves. @param extent  farthest position of each
PerAxis<bool> moving_axes(const PerAxis<double>& extent);

/// The axes along which there is an image: of more than one voxel, or, where the file does not say how many, along
/// which the trajectory moves.
PerAxis<bool> image_axes(const Scan& scan);

/// What was asked for, completed.
/// @param asked  0 for axes left out: all but x, then x is for all axes that there are; or z
/// @param own  of the other axes
template <class T>
PerAxis<T> completed(const PerAxis<T>& asked, const PerAxis<bool>& axes, const PerAxis<T>& own) {
    const bool one_for_all = asked[1] == 0 && asked[2] == 0;
    PerAxis<T> all{};
    for (int axis = 0; axis < 3; ++axis) {
        const T given = one_for_all && axes[axis] ? asked[0] : one_for_all ? T(0) : asked[axis];
        all[axis] = given != 0 ? given : own[axis];
    }
    return all;
}

/// Twice the farthest position of each axis, in cycles per field of view, as BART and RIESLING have it; the log says
/// so.
PerAxis<Index> matrix_of_trajectory(const std::vector<Frame>& frames);

/// Looks for axes that trajectory and matrix do not agree on, and warns of them. Where the image has one voxel along an
/// axis, positions along it have no effect: the voxel sits at 0.
/// @throws InputError where a trajectory moves along x or y, and the image has one voxel there
void check_axes(const Scan& scan);

}  // namespace recon
