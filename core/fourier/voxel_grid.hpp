#pragma once

#include "core/base/shape.hpp"
#include "core/base/types.hpp"

namespace recon {

/// A Cartesian grid of voxel positions: index `i` of an axis sits at `(i - origin) * spacing` fields of view.
struct VoxelGrid {
    Shape shape;  ///< [x y z]
    PerAxis<Index> origin;
    PerAxis<double> spacing;

    double position(int axis, Index i) const { return static_cast<double>(i - origin[axis]) * spacing[axis]; }

    /// The image grid: origin floor(N/2), spacing 1/N. (docs/conventions.md)
    static VoxelGrid image(PerAxis<Index> matrix_size);
    /// All differences of two voxels of that image: 2N-1 points an axis, origin N-1, spacing 1/N.
    static VoxelGrid differences(PerAxis<Index> matrix_size);
};

}  // namespace recon
