#include "core/mri/coils/coil_calibration_images.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/base/cancel.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {
namespace {

/// Calls function(k, index in the box) for the points of the region.
template <class Function>
void for_each_point(const CalibrationRegion& region, Function&& function) {
    const PerAxis<Index> half = region.half_extent();
    Index index = 0;
    for (Index z = -half[2]; z <= half[2]; ++z) {
        for (Index y = -half[1]; y <= half[1]; ++y) {
            for (Index x = -half[0]; x <= half[0]; ++x, ++index) {
                if (region.contains({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)})) {
                    function(PerAxis<Index>{x, y, z}, index);
                }
            }
        }
    }
}

double hann_window(const CalibrationRegion& region, const PerAxis<Index>& k) {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        // one cycle beyond the region, so that its edge counts as well
        const double ratio = region.radius[axis] > 0 ? static_cast<double>(k[axis]) / (region.radius[axis] + 1) : 0;
        square += ratio * ratio;
    }
    return std::pow(std::cos(pi / 2 * std::min(1.0, std::sqrt(square))), 2);
}

/// exp(i 2 pi q r) at the voxels of an axis, [q voxel], |q| <= degree.
Eigen::MatrixXcd phases_of(const VoxelGrid& grid, int axis, Index degree) {
    Eigen::MatrixXcd phases(2 * degree + 1, grid.shape.extent(axis));
    for (Index i = 0; i < phases.cols(); ++i) {
        for (Index q = -degree; q <= degree; ++q) {
            phases(q + degree, i) = std::polar(1.0, 2 * pi * static_cast<double>(q) * grid.position(axis, i));
        }
    }
    return phases;
}

/// m_c conj(m_c') of a row of voxels, [voxel pair], of the images m [voxel coil].
void products_of_pairs(const std::vector<cfloat>& row, Index coil_count, Eigen::MatrixXcd& products) {
    const Eigen::Map<const Eigen::MatrixXcf> images(row.data(), products.rows(), coil_count);
    for (Index c2 = 0; c2 < coil_count; ++c2) {
        for (Index c = 0; c <= c2; ++c) {
            products.col(CoilMatrixField::pair(c, c2)) =
                images.col(c).cwiseProduct(images.col(c2).conjugate()).cast<cdouble>();
        }
    }
}

}  // namespace

TrigonometricField calibration_images(const CalibrationKspace& calibration, double scale) {
    const Index box = calibration.region.box().element_count();
    TrigonometricField field(calibration.coil_count, calibration.region.half_extent(), TrigonometricField::Sign::plus);
    for_each_point(calibration.region, [&](const PerAxis<Index>& k, Index index) {
        const double window = scale * hann_window(calibration.region, k);
        for (Index coil = 0; coil < calibration.coil_count; ++coil) {
            field.coefficients(k)[coil] = static_cast<cfloat>(window * calibration.values[coil * box + index]);
        }
    });
    return field;
}

double calibration_noise_gain(const CalibrationKspace& calibration) {
    double gain = 0;
    for_each_point(calibration.region,
                   [&](const PerAxis<Index>& k, Index) { gain += std::pow(hann_window(calibration.region, k), 2); });
    return gain;
}

PerAxis<Index> covariance_degree(const CalibrationRegion& region) {
    PerAxis<Index> degree = region.half_extent();
    for (Index& extent : degree) {
        extent = (extent + 1) / 2;
    }
    return degree;
}

CoilMatrixField local_covariance(const CalibrationKspace& calibration) {
    const Index coil_count = calibration.coil_count;
    const Index box = calibration.region.box().element_count();
    const PerAxis<Index> half = calibration.region.half_extent();
    const PerAxis<Index> degree = covariance_degree(calibration.region);
    PerAxis<Index> terms{}, size{};
    for (int axis = 0; axis < 3; ++axis) {
        terms[axis] = 2 * degree[axis] + 1;
        size[axis] = 2 * half[axis] + degree[axis] + 1;  // so that no product of higher degree is taken for a lower one
    }
    double energy = 0;
    for_each_point(calibration.region, [&](const PerAxis<Index>& k, Index index) {
        for (Index coil = 0; coil < coil_count; ++coil) {
            energy += std::norm(hann_window(calibration.region, k) * calibration.values[coil * box + index]);
        }
    });
    // windowed, or the edge of the region would ring
    const TrigonometricField images = calibration_images(calibration, 1 / std::sqrt(std::max(energy, 1e-300)));
    const VoxelGrid grid = VoxelGrid::image(size);
    const PerAxis<Eigen::MatrixXcd> phases{phases_of(grid, 0, degree[0]), phases_of(grid, 1, degree[1]),
                                           phases_of(grid, 2, degree[2])};
    CoilMatrixField field(coil_count, degree);
    const Index pair_count = field.pairs.component_count();
    const Index row_size = pair_count * terms[0];
    Eigen::MatrixXcd of_rows(row_size, size[1]);
    Eigen::MatrixXcd sums = Eigen::MatrixXcd::Zero(row_size * terms[1], terms[2]);  // [pair qx qy, qz]
    const CancelToken& cancel = cancel_of_this_thread();
#pragma omp parallel
    {
        TrigonometricField::Rows rows(images, size);
        std::vector<cfloat> row;
        Eigen::MatrixXcd products(size[0], pair_count);
        for (Index z = 0; z < size[2]; ++z) {
#pragma omp for schedule(dynamic)
            for (Index y = 0; y < size[1]; ++y) {
                if (cancel.is_due()) {
                    continue;
                }
                rows.evaluate(y, z, row);
                products_of_pairs(row, coil_count, products);
                Eigen::Map<Eigen::MatrixXcd>(of_rows.col(y).data(), pair_count, terms[0]).noalias() =
                    products.transpose() * phases[0].transpose();
            }
#pragma omp for
            for (Index qy = 0; qy < terms[1]; ++qy) {
                const Eigen::VectorXcd of_plane = of_rows * phases[1].row(qy).transpose();
                sums.middleRows(qy * row_size, row_size).noalias() += of_plane * phases[2].col(z).transpose();
            }
        }
    }
    cancel.check();
    const double scale = 1 / static_cast<double>(grid.shape.element_count());
    const cdouble* sum = sums.data();
    for (Index qz = -degree[2]; qz <= degree[2]; ++qz) {
        for (Index qy = -degree[1]; qy <= degree[1]; ++qy) {
            for (Index qx = -degree[0]; qx <= degree[0]; ++qx) {
                double triangle = scale;
                const PerAxis<Index> q{qx, qy, qz};
                for (int axis = 0; axis < 3; ++axis) {
                    triangle *= 1 - std::abs(static_cast<double>(q[axis])) / static_cast<double>(degree[axis] + 1);
                }
                for (Index pair = 0; pair < pair_count; ++pair) {
                    field.pairs.coefficients(q)[pair] = static_cast<cfloat>(triangle * *sum++);
                }
            }
        }
    }
    return field;
}

std::vector<cfloat> principal_component(const CalibrationKspace& calibration) {
    const Index box = calibration.region.box().element_count();
    const Eigen::Map<const Eigen::MatrixXcd> values(calibration.values.data(), box, calibration.coil_count);
    Eigen::MatrixXcd covariance = Eigen::MatrixXcd::Zero(calibration.coil_count, calibration.coil_count);
    for_each_point(calibration.region, [&](const PerAxis<Index>&, Index index) {
        const Eigen::VectorXcd point = values.row(index).transpose();
        covariance.noalias() += point * point.adjoint();
    });
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> eigen(covariance);
    const Eigen::VectorXcf vector = eigen.eigenvectors().col(calibration.coil_count - 1).cast<cfloat>();
    return {vector.begin(), vector.end()};
}

}  // namespace recon
