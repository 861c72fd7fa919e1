#include "core/mri/scan.hpp"

namespace recon {

PerAxis<double> Geometry::voxel_size_mm() const {
    PerAxis<double> size{};
    for (int axis = 0; axis < 3; ++axis) {
        size[axis] = field_of_view_mm[axis] / static_cast<double>(matrix_size[axis]);
    }
    return size;
}

}  // namespace recon
