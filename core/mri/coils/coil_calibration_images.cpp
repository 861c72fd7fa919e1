#include "core/mri/coils/coil_calibration_images.hpp"

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/base/cancel.hpp"

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

/// sum_k' d[k'-q] d[k']^H over the rows along kx of a box, [coil coil]: an image product turns by k - k' = -q.
/// @param values  [coil, point of the box]
Eigen::MatrixXcd correlation(const Eigen::MatrixXcd& values, const Shape& box, const PerAxis<Index>& q) {
    Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(values.rows(), values.rows());
    const auto first = [&](int axis) { return std::max<Index>(0, q[axis]); };
    const auto end = [&](int axis) { return box.extent(axis) + std::min<Index>(0, q[axis]); };
    const Index shift = (q[2] * box.extent(1) + q[1]) * box.extent(0) + q[0];
    for (Index z = first(2); z < end(2); ++z) {
        for (Index y = first(1); y < end(1); ++y) {
            const Index row = (z * box.extent(1) + y) * box.extent(0) + first(0);
            const Index count = end(0) - first(0);
            sum.noalias() += values.middleCols(row - shift, count) * values.middleCols(row, count).adjoint();
        }
    }
    return sum;
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

CoilMatrixField local_covariance(const CalibrationKspace& calibration) {
    const Index coil_count = calibration.coil_count;
    const PerAxis<Index> half = calibration.region.half_extent();
    const Shape box = calibration.region.box();
    PerAxis<Index> degree{};
    for (int axis = 0; axis < 3; ++axis) {
        degree[axis] = (half[axis] + 1) / 2;
    }
    // [coil, point of the box], windowed, or the edge of the region would ring in the images; 0 outside the region
    Eigen::MatrixXcd values = Eigen::MatrixXcd::Zero(coil_count, box.element_count());
    for_each_point(calibration.region, [&](const PerAxis<Index>& k, Index index) {
        const double window = hann_window(calibration.region, k);
        for (Index coil = 0; coil < coil_count; ++coil) {
            values(coil, index) = window * calibration.values[coil * box.element_count() + index];
        }
    });
    const double scale = 1 / std::max(values.squaredNorm(), 1e-300);
    CoilMatrixField field(coil_count, degree);
    const Index lag_count = (2 * degree[0] + 1) * (2 * degree[1] + 1) * (2 * degree[2] + 1);
    const CancelToken& cancel = cancel_of_this_thread();
    // C(-q) = C(q)^H: half of the lags, the middle one included
#pragma omp parallel for schedule(dynamic)
    for (Index lag = 0; lag <= lag_count / 2; ++lag) {
        if (cancel.is_due()) {
            continue;
        }
        const PerAxis<Index> q{lag % (2 * degree[0] + 1) - degree[0],
                               lag / (2 * degree[0] + 1) % (2 * degree[1] + 1) - degree[1],
                               lag / (2 * degree[0] + 1) / (2 * degree[1] + 1) - degree[2]};
        double triangle = scale;
        for (int axis = 0; axis < 3; ++axis) {
            triangle *= 1 - std::abs(static_cast<double>(q[axis])) / static_cast<double>(degree[axis] + 1);
        }
        const Eigen::MatrixXcd sum = triangle * correlation(values, box, q);
        for (Index c2 = 0; c2 < coil_count; ++c2) {
            for (Index c = 0; c <= c2; ++c) {
                const Index pair = CoilMatrixField::pair(c, c2);
                field.pairs.coefficients(q)[pair] = static_cast<cfloat>(sum(c, c2));
                field.pairs.coefficients({-q[0], -q[1], -q[2]})[pair] = static_cast<cfloat>(std::conj(sum(c2, c)));
            }
        }
    }
    cancel.check();
    return field;
}

std::vector<cdouble> principal_component(const CalibrationKspace& calibration) {
    const Index box = calibration.region.box().element_count();
    const Eigen::Map<const Eigen::MatrixXcd> values(calibration.values.data(), box, calibration.coil_count);
    Eigen::MatrixXcd covariance = Eigen::MatrixXcd::Zero(calibration.coil_count, calibration.coil_count);
    for_each_point(calibration.region, [&](const PerAxis<Index>&, Index index) {
        const Eigen::VectorXcd point = values.row(index).transpose();
        covariance.noalias() += point * point.adjoint();
    });
    const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXcd> eigen(covariance);
    const Eigen::VectorXcd vector = eigen.eigenvectors().col(calibration.coil_count - 1);
    return {vector.begin(), vector.end()};
}

}  // namespace recon
