#include "core/mri/coils/cartesian_kspace.hpp"

#include <Eigen/Dense>
#include <algorithm>

#include "core/fourier/voxel_grid.hpp"

namespace recon {

CalibrationKspace cartesian_kspace(std::span<const cdouble> images, const PerAxis<Index>& matrix_size,
                                   const CalibrationRegion& region, Index points_per_cycle) {
    using Matrix = Eigen::MatrixXcd;
    constexpr Index at_once = 64;  // the same blocks for any number of threads, and the same bytes
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    CalibrationKspace result{region.in_points(points_per_cycle),
                             static_cast<Index>(images.size()) / grid.shape.element_count(),
                             {},
                             points_per_cycle};
    const PerAxis<Index> half = result.region.half_extent();
    Matrix values = Eigen::Map<const Matrix>(images.data(), 1, static_cast<Index>(images.size()));
    for (int axis = 0; axis < 3; ++axis) {
        Matrix transform(2 * half[axis] + 1, matrix_size[axis]);
        for (Index i = 0; i < matrix_size[axis]; ++i) {
            for (Index k = -half[axis]; k <= half[axis]; ++k) {
                transform(k + half[axis], i) =
                    std::polar(1.0, -2 * pi * (result.step() * static_cast<double>(k)) * grid.position(axis, i));
            }
        }
        const Eigen::Map<const Matrix> along(values.data(), matrix_size[axis], values.size() / matrix_size[axis]);
        Matrix transformed(transform.rows(), along.cols());
#pragma omp parallel for schedule(static)
        for (Index first = 0; first < along.cols(); first += at_once) {
            const Index count = std::min(at_once, along.cols() - first);
            transformed.middleCols(first, count).noalias() = transform * along.middleCols(first, count);
        }
        values = transformed.transpose();  // the next axis comes first
    }
    const Eigen::Map<const Matrix> coil_first(values.data(), result.coil_count, result.region.box().element_count());
    const Matrix coil_last = coil_first.transpose();
    result.values.assign(coil_last.data(), coil_last.data() + coil_last.size());
    return result;
}

CalibrationKspace cartesian_kspace(std::span<const cfloat> images, const PerAxis<Index>& matrix_size,
                                   const CalibrationRegion& region) {
    const std::vector<cdouble> wide(images.begin(), images.end());
    return cartesian_kspace(std::span<const cdouble>(wide), matrix_size, region);
}

}  // namespace recon
