#include "core/mri/gradients/centre_fit.hpp"

#include <cmath>
#include <map>
#include <numbers>

#include "core/mri/gradients/centre_out_readouts.hpp"

namespace recon {
namespace {

constexpr double ridge = 1e-5;  // times the number of samples

/// Of an ellipsoid, or ellipse, in fields of view, [voxel axis].
Eigen::MatrixXd voxels_of(const PerAxis<bool>& axes, double band) {
    constexpr double extent = 1.1;  // of the field of view: objects reach its edge, and edges are not sharp here
    constexpr double finer = 1.25;  // than the band needs, so that the voxels' own band does not show
    const auto count = static_cast<Index>(std::ceil(finer * extent * 2 * band));
    const auto coordinate = [&](std::size_t axis, Index i) {
        return axes[axis] ? extent * ((static_cast<double>(i) + 0.5) / static_cast<double>(count) - 0.5) : 0.0;
    };
    const auto count_of = [&](std::size_t axis) { return axes[axis] ? count : 1; };
    std::vector<Eigen::Vector3d> inside;
    for (Index z = 0; z < count_of(2); ++z) {
        for (Index y = 0; y < count_of(1); ++y) {
            for (Index x = 0; x < count_of(0); ++x) {
                const Eigen::Vector3d r(coordinate(0, x), coordinate(1, y), coordinate(2, z));
                if (r.norm() < extent / 2) {
                    inside.push_back(r);
                }
            }
        }
    }
    Eigen::MatrixXd voxels(std::ssize(inside), 3);
    for (Index v = 0; v < voxels.rows(); ++v) {
        voxels.row(v) = inside[static_cast<std::size_t>(v)];
    }
    return voxels;
}

/// exp(-i 2 pi k.r), [sample voxel]: voxels lie on a grid, and each axis has few coordinates.
Eigen::MatrixXcd encoding_of(const Eigen::MatrixXd& k, const Eigen::MatrixXd& voxels) {
    Eigen::MatrixXcd encoding = Eigen::MatrixXcd::Ones(k.rows(), voxels.rows());
    for (Index axis = 0; axis < 3; ++axis) {
        std::map<double, Eigen::VectorXcd> factors;
        for (Index v = 0; v < voxels.rows(); ++v) {
            const double r = voxels(v, axis);
            if (r == 0) {
                continue;
            }
            Eigen::VectorXcd& factor = factors[r];
            if (factor.size() == 0) {
                factor = k.col(axis).unaryExpr(
                    [r](double cycles) { return std::polar(1.0, -2 * std::numbers::pi * cycles * r); });
            }
            encoding.col(v).array() *= factor.array();
        }
    }
    return encoding;
}

}  // namespace

std::vector<Index> samples_around_centre(const Trajectory& positions, const PerAxis<bool>& axes) {
    std::vector<Index> inside;
    for (Index m = 0; m < positions.sample_count(); ++m) {
        const auto at = static_cast<std::size_t>(m);
        if (std::hypot(positions.k[0][at], positions.k[1][at], positions.k[2][at]) < radius_of_centre(axes)) {
            inside.push_back(m);
        }
    }
    return inside;
}

CentreFit::CentreFit(const Trajectory& positions, const std::vector<Index>& inside, const PerAxis<bool>& axes,
                     const Eigen::MatrixXcd& data)
    : inside_(inside), voxels_(voxels_of(axes, radius_of_centre(axes))) {
    constexpr Index samples_per_voxel = 2;
    if (std::ssize(inside_) < samples_per_voxel * voxels_.rows()) {
        return;
    }
    Eigen::MatrixXd k(std::ssize(inside_), 3);
    data_.resize(k.rows(), data.cols());
    for (Index i = 0; i < k.rows(); ++i) {
        const Index m = inside_[static_cast<std::size_t>(i)];
        for (Index axis = 0; axis < 3; ++axis) {
            k(i, axis) = positions.k[static_cast<std::size_t>(axis)][static_cast<std::size_t>(m)];
        }
        data_.row(i) = data.row(m);
    }
    is_determined_ = energy() > 0;
    if (!is_determined_) {
        return;
    }
    encoding_ = encoding_of(k, voxels_);
    Eigen::MatrixXcd square = Eigen::MatrixXcd::Zero(voxels_.rows(), voxels_.rows());
    square.selfadjointView<Eigen::Lower>().rankUpdate(encoding_.adjoint());
    square.diagonal().array() += ridge * static_cast<double>(k.rows());
    normal_.compute(square);
    image_ = normal_.solve(encoding_.adjoint() * data_);
    rest_ = data_ - encoding_ * image_;
}

double CentreFit::freedom() const {
    if (!freedom_) {
        const Index count = voxels_.rows();
        const auto samples = static_cast<double>(rest_.rows());
        const Eigen::MatrixXcd root = normal_.matrixL().solve(Eigen::MatrixXcd::Identity(count, count));
        const double held_back = ridge * samples * root.squaredNorm();  // the trace of the inverse
        freedom_ = (samples - static_cast<double>(count) + held_back) * static_cast<double>(rest_.cols());
    }
    return *freedom_;
}

Eigen::MatrixXcd CentreFit::unexplained_change(const Trajectory& change) const {
    Eigen::MatrixXcd sum = Eigen::MatrixXcd::Zero(data_.rows(), data_.cols());
    for (Index axis = 0; axis < 3; ++axis) {
        Eigen::VectorXcd factor(data_.rows());
        for (Index i = 0; i < data_.rows(); ++i) {
            const Index m = inside_[static_cast<std::size_t>(i)];
            const double moves = change.k[static_cast<std::size_t>(axis)][static_cast<std::size_t>(m)];
            factor[i] = cdouble(0, -2 * std::numbers::pi * moves);
        }
        sum += factor.asDiagonal() * (encoding_ * (voxels_.col(axis).asDiagonal() * image_));
    }
    return without_image(sum);
}

Eigen::MatrixXcd CentreFit::without_image(const Eigen::MatrixXcd& data) const {
    return data - encoding_ * normal_.solve(encoding_.adjoint() * data);
}

}  // namespace recon
