#include "data/simulation/phantoms/ellipsoid_phantom.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

using Eigen::Matrix3d;
using Eigen::MatrixXd;
using Eigen::Vector3d;
using Eigen::VectorXd;

std::array<double, 6> packed(const Matrix3d& m) { return {m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)}; }

double quadratic(const std::array<double, 6>& m, const PerAxis<double>& r) {
    return m[0] * r[0] * r[0] + m[1] * r[1] * r[1] + m[2] * r[2] * r[2] +
           2 * (m[3] * r[0] * r[1] + m[4] * r[0] * r[2] + m[5] * r[1] * r[2]);
}

/// The matrix of the level function (r - centre)^T M (r - centre).
Matrix3d level_matrix(const Ellipsoid& ellipsoid) {
    Matrix3d m = Matrix3d::Zero();
    for (int i = 0; i < 3; ++i) {
        const Vector3d direction(ellipsoid.directions[i].data());
        m += direction * direction.transpose() / (ellipsoid.semi_axes[i] * ellipsoid.semi_axes[i]);
    }
    return m;
}

double unit_ball_volume(int dimension) { return dimension == 3 ? 4 * pi / 3 : dimension == 2 ? pi : 2; }

}  // namespace

Ellipsoid turned_ellipsoid(PerAxis<double> centre, PerAxis<double> semi_axes, double angle_degrees, double intensity) {
    const double c = std::cos(angle_degrees * pi / 180);
    const double s = std::sin(angle_degrees * pi / 180);
    return {centre, semi_axes, {{{c, s, 0}, {-s, c, 0}, {0, 0, 1}}}, intensity};
}

Ellipsoid in_half_fields_of_view(Ellipsoid ellipsoid) {
    for (int axis = 0; axis < 3; ++axis) {
        ellipsoid.centre[axis] /= 2;
        ellipsoid.semi_axes[axis] /= 2;
    }
    return ellipsoid;
}

EllipsoidPhantom::EllipsoidPhantom(std::span<const Ellipsoid> ellipsoids, PerAxis<bool> present,
                                   PerAxis<double> section, PerAxis<double> edge_sigma)
    : present_(present), edge_sigma_(edge_sigma), rounded_(false) {
    std::vector<int> kept;
    std::vector<int> cut;
    for (int axis = 0; axis < 3; ++axis) {
        (present[axis] ? kept : cut).push_back(axis);
        edge_sigma_[axis] = present[axis] ? edge_sigma[axis] : 0;
        rounded_ = rounded_ || edge_sigma_[axis] > 0;
    }
    const int dimension = static_cast<int>(kept.size());
    if (dimension == 0) {
        throw InputError("phantom: no axis has more than one voxel; give a `matrix` with at least one axis above 1");
    }
    for (const Ellipsoid& ellipsoid : ellipsoids) {
        for (const double semi_axis : ellipsoid.semi_axes) {
            if (!(semi_axis > 0)) {
                throw InputError(
                    fmt::format("phantom: an ellipsoid has a semi-axis of {}, expected above 0", semi_axis));
            }
        }
        // Cut: with r = (x, y), x kept and y fixed, the level function is
        // (x - x0)^T Mxx (x - x0) + y^T (Myy - Myx Mxx^-1 Mxy) y, x0 = -Mxx^-1 Mxy y, all measured from the centre.
        const Matrix3d m = level_matrix(ellipsoid);
        const MatrixXd mxx = m(kept, kept);
        const MatrixXd mxy = m(kept, cut);
        VectorXd y(cut.size());
        for (std::size_t i = 0; i < cut.size(); ++i) {
            y(static_cast<int>(i)) = section[cut[i]] - ellipsoid.centre[cut[i]];
        }
        const MatrixXd inverse = mxx.inverse();
        const VectorXd shift = -inverse * (mxy * y);
        const MatrixXd remainder = m(cut, cut) - mxy.transpose() * inverse * mxy;
        const double room = 1 - y.dot(remainder * y);
        if (room <= 0) {
            continue;
        }
        Matrix3d squared = Matrix3d::Zero();
        squared(kept, kept) = inverse * room;
        Matrix3d level = Matrix3d::Zero();
        level(kept, kept) = mxx / room;

        Section part{};
        part.dimension = dimension;
        part.squared = packed(squared);
        part.level = packed(level);
        part.intensity = ellipsoid.intensity;
        part.weight = ellipsoid.intensity * unit_ball_volume(dimension) * std::sqrt((inverse * room).determinant());
        VectorXd sigma(dimension);
        for (int i = 0; i < dimension; ++i) {
            part.centre[kept[i]] = ellipsoid.centre[kept[i]] + shift(i);
            sigma(i) = edge_sigma_[kept[i]];
        }
        if (rounded_) {
            if (sigma.minCoeff() <= 0) {
                throw InputError(
                    "phantom: edges are rounded along some axes and sharp along others; round all or none");
            }
            std::array<PerAxis<double>, 3> in_sigmas{};
            for (int i = 0; i < dimension; ++i) {
                for (int j = 0; j < dimension; ++j) {
                    in_sigmas[i][j] = sigma(i) * mxx(i, j) / room * sigma(j);
                }
            }
            rounded_sections_.emplace_back(dimension, in_sigmas);
        }
        sections_.push_back(part);
    }
}

double EllipsoidPhantom::value(const PerAxis<double>& position) const {
    double sum = 0;
    for (std::size_t i = 0; i < sections_.size(); ++i) {
        const Section& section = sections_[i];
        PerAxis<double> r{};
        for (int axis = 0; axis < 3; ++axis) {
            r[axis] = present_[axis] ? position[axis] - section.centre[axis] : 0;
        }
        if (!rounded_) {
            sum += quadratic(section.level, r) <= 1 ? section.intensity : 0;
            continue;
        }
        PerAxis<double> in_sigmas{};
        int kept = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (present_[axis]) {
                in_sigmas[kept++] = r[axis] / edge_sigma_[axis];
            }
        }
        sum += section.intensity * rounded_sections_[i].value(in_sigmas);
    }
    return sum;
}

double EllipsoidPhantom::voxel_mean(const PerAxis<double>& position, const PerAxis<double>& voxel,
                                    int points_per_axis) const {
    PerAxis<int> points{};
    for (int axis = 0; axis < 3; ++axis) {
        points[axis] = present_[axis] ? points_per_axis : 1;
    }
    const auto offset = [&](int axis, int i) { return ((i + 0.5) / points[axis] - 0.5) * voxel[axis]; };
    double sum = 0;
    for (int z = 0; z < points[2]; ++z) {
        for (int y = 0; y < points[1]; ++y) {
            for (int x = 0; x < points[0]; ++x) {
                sum += value({position[0] + offset(0, x), position[1] + offset(1, y), position[2] + offset(2, z)});
            }
        }
    }
    return sum / (points[0] * points[1] * points[2]);
}

}  // namespace recon
