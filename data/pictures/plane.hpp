#pragma once

#include <array>
#include <vector>

#include "core/mri/image.hpp"

namespace recon {

/// A plane through a volume: the axis across it and where it lies.
struct Plane {
    int across = 2;
    Index index = 0;
};

constexpr const char* plane_axes[] = {"x", "y", "z"};

/// The two axes in a plane: to the right, and downwards; but z grows upwards, so that heads stand on their feet.
std::array<int, 2> axes_in(const Plane& plane);

/// Where a plane shows, in its column and row, a voxel's number in [x y z].
Index voxel_of(const Plane& plane, const PerAxis<Index>& matrix_size, Index column, Index row);

/// Through the middle of the signal of the first frame: one for an image of one slice, else three.
std::vector<Plane> planes_through(const Image& image);

}  // namespace recon
