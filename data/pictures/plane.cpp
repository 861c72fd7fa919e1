#include "data/pictures/plane.hpp"

#include <cmath>

namespace recon {

std::array<int, 2> axes_in(const Plane& plane) {
    return plane.across == 2 ? std::array{0, 1} : plane.across == 1 ? std::array{0, 2} : std::array{1, 2};
}

Index voxel_of(const Plane& plane, const PerAxis<Index>& matrix_size, Index column, Index row) {
    const auto [right, down] = axes_in(plane);
    std::array<Index, 3> voxel{};
    voxel[plane.across] = plane.index;
    voxel[right] = column;
    voxel[down] = down == 2 ? matrix_size[2] - 1 - row : row;
    return voxel[0] + matrix_size[0] * (voxel[1] + matrix_size[1] * voxel[2]);
}

std::vector<Plane> planes_through(const Image& image) {
    const PerAxis<Index>& matrix = image.geometry.matrix_size;
    PerAxis<double> centre{};
    double energy = 0;
    const std::span<const cfloat> voxels = image.frame(0);
    for (Index i = 0; i < static_cast<Index>(voxels.size()); ++i) {
        const auto value = static_cast<double>(std::norm(voxels[static_cast<std::size_t>(i)]));
        if (std::isfinite(value)) {
            energy += value;
            centre[0] += value * static_cast<double>(i % matrix[0]);
            centre[1] += value * static_cast<double>(i / matrix[0] % matrix[1]);
            centre[2] += value * static_cast<double>(i / (matrix[0] * matrix[1]));
        }
    }
    std::vector<Plane> planes;
    for (const int axis : {2, 1, 0}) {
        const auto [right, down] = axes_in({axis, 0});
        if (matrix[right] > 1 && matrix[down] > 1) {
            planes.push_back({axis, energy > 0 ? std::lround(centre[axis] / energy) : matrix[axis] / 2});
        }
    }
    return planes.empty() ? std::vector<Plane>{{2, 0}} : planes;
}

}  // namespace recon
