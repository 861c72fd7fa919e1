#include "core/mri/grids/resample.hpp"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <complex>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"

namespace recon {
namespace {

using AxisMatrix = Eigen::Matrix3d;
using AxisVector = Eigen::Vector3d;

constexpr double same_place_voxels = 1e-3;  // positions in files are floats: 1e-4 mm in a metre
constexpr double same_length = 1e-2;

AxisVector vector(const PerAxis<double>& v) { return {v[0], v[1], v[2]}; }

bool lengths_known(const Geometry& geometry) {
    for (int axis = 0; axis < 3; ++axis) {
        if (geometry.matrix_size[axis] > 1 && !(geometry.field_of_view_mm[axis] > 0)) {
            return false;
        }
    }
    return true;
}

bool lengths_agree(const Geometry& a, const Geometry& b) {
    for (int axis = 0; axis < 3; ++axis) {
        const double x = a.field_of_view_mm[axis], y = b.field_of_view_mm[axis];
        if (a.matrix_size[axis] > 1 && std::abs(x - y) > same_length * std::max(x, y)) {
            return false;
        }
    }
    return true;
}

/// Columns: steps from voxel to voxel, in mm. @param missing_mm  thickness of an absent axis that does not say
AxisMatrix steps(const Geometry& geometry, const Orientation& orientation, double missing_mm) {
    const PerAxis<double> size_mm = geometry.voxel_size_mm();
    AxisMatrix matrix;
    matrix << vector(orientation.x_direction), vector(orientation.y_direction), vector(orientation.z_direction);
    for (int axis = 0; axis < 3; ++axis) {
        matrix.col(axis) *= size_mm[axis] > 0 ? size_mm[axis] : missing_mm;
    }
    return matrix;
}

bool spans_space(const Geometry& geometry) {
    constexpr double flat = 1e-3;
    const Orientation& o = *geometry.orientation;
    return std::abs(vector(o.x_direction).cross(vector(o.y_direction)).dot(vector(o.z_direction))) > flat;
}

AxisVector middle(const PerAxis<Index>& matrix_size) {
    return {static_cast<double>(matrix_size[0] / 2), static_cast<double>(matrix_size[1] / 2),
            static_cast<double>(matrix_size[2] / 2)};
}

}  // namespace

std::vector<float> resample(std::span<const float> map, const PerAxis<Index>& matrix_size,
                            const PerAxis<Index>& target_size, const std::string& what) {
    Geometry source, target;
    source.matrix_size = matrix_size;
    target.matrix_size = target_size;
    source.field_of_view_mm = target.field_of_view_mm = {1, 1, 1};
    return resample(map, source, target, what).voxels;
}

std::string grid_text(const Geometry& geometry) {
    const auto [x, y, z] = geometry.matrix_size;
    const PerAxis<double> size = geometry.voxel_size_mm();
    std::string text = fmt::format("{} x {} x {} voxels", x, y, z);
    text += lengths_known(geometry) ? fmt::format(" of {:.4g} x {:.4g} x {:.4g} mm", size[0], size[1], size[2])
                                    : ", size unknown";
    return text + (geometry.orientation ? "" : ", position unknown");
}

GridPlacement GridPlacement::of(const Geometry& source, const Geometry& target, const std::string& what) {
    GridPlacement placement;
    placement.source_size_ = source.matrix_size;
    const bool equal_matrix = source.matrix_size == target.matrix_size;
    const bool sizes = lengths_known(source) && lengths_known(target);
    const bool placed = source.orientation && target.orientation && spans_space(source) && spans_space(target) && sizes;
    const bool concentric = !source.orientation && !target.orientation && sizes;
    if (!placed && !concentric) {
        if (equal_matrix && (!sizes || lengths_agree(source, target))) {
            placement.text_ = "taken to lie on the image's voxels, as the matrix is the same and a position is unknown";
            return placement;
        }
        throw InputError(
            fmt::format("{}: has {}, the image {}: where they lie to each other is not known; give a file with sizes "
                        "and positions (NIfTI, or the project's own), or one on the image's matrix",
                        what, grid_text(source), grid_text(target)));
    }
    // u = n_s + S^-1 (c_t + T (i - n_t) - c_s), with the grids' steps as columns of S and T
    constexpr double endless_mm = 1e9;  // an absent axis of unknown thickness holds everything
    constexpr double point_mm = 1e-9;
    const Orientation own_axes;
    const Orientation& from = placed ? *source.orientation : own_axes;
    const Orientation& to = placed ? *target.orientation : own_axes;
    const AxisMatrix to_source = steps(source, from, endless_mm).inverse();
    const AxisMatrix matrix = to_source * steps(target, to, point_mm);
    const AxisVector offset = middle(source.matrix_size) + to_source * (vector(to.centre_mm) - vector(from.centre_mm)) -
                              matrix * middle(target.matrix_size);
    for (int row = 0; row < 3; ++row) {
        placement.matrix_[row] = {matrix(row, 0), matrix(row, 1), matrix(row, 2)};
        placement.offset_[row] = offset(row);
    }
    placement.identity_ = equal_matrix;
    for (int corner = 0; corner < 8; ++corner) {
        PerAxis<double> index{};
        for (int axis = 0; axis < 3; ++axis) {
            index[axis] = (corner >> axis & 1) != 0 ? static_cast<double>(target.matrix_size[axis] - 1) : 0;
        }
        const PerAxis<double> found = placement.source_index(index);
        for (int axis = 0; axis < 3; ++axis) {
            placement.identity_ = placement.identity_ && std::abs(found[axis] - index[axis]) < same_place_voxels;
        }
    }
    placement.text_ = placement.identity_ ? "on the image's voxels" : "resampled from " + grid_text(source);
    if (concentric && !placement.identity_) {
        placement.text_ += ", taken to have the image's centre and axes";
    }
    return placement;
}

PerAxis<double> GridPlacement::source_index(const PerAxis<double>& i) const {
    PerAxis<double> index = offset_;
    for (int row = 0; row < 3; ++row) {
        index[row] += matrix_[row][0] * i[0] + matrix_[row][1] * i[1] + matrix_[row][2] * i[2];
    }
    return index;
}

double GridPlacement::step(int target_axis) const {
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        largest = std::max(largest, source_size_[axis] > 1 ? std::abs(matrix_[axis][target_axis]) : 0);
    }
    return largest;
}

namespace {

/// Value and weight of the source at a fractional index.
template <class T>
class Interpolator {
public:
    using Sum = std::conditional_t<std::is_same_v<T, float>, double, cdouble>;

    Interpolator(std::span<const T> voxels, std::span<const float> weights, const PerAxis<Index>& matrix_size)
        : voxels_(voxels), weights_(weights), matrix_size_(matrix_size) {}

    void add(const PerAxis<double>& index, Sum& value, double& weight) const {
        PerAxis<Index> low{};
        PerAxis<double> part{};
        for (int axis = 0; axis < 3; ++axis) {
            const auto last = static_cast<double>(matrix_size_[axis] - 1);
            if (!(index[axis] >= -0.5 - same_place_voxels && index[axis] <= last + 0.5 + same_place_voxels)) {
                return;
            }
            const double inside = std::clamp(index[axis], 0.0, last);
            low[axis] = static_cast<Index>(inside);
            part[axis] = inside - static_cast<double>(low[axis]);
        }
        for (int corner = 0; corner < 8; ++corner) {
            double factor = 1;
            Index voxel = 0, stride = 1;
            for (int axis = 0; axis < 3; ++axis) {
                const bool high = (corner >> axis & 1) != 0;
                factor *= high ? part[axis] : 1 - part[axis];
                voxel += stride * (low[axis] + (high ? 1 : 0));
                stride *= matrix_size_[axis];
            }
            if (factor > 0) {  // the high neighbour of the last voxel does not exist
                factor *= weights_.empty() ? 1.0 : static_cast<double>(weights_[voxel]);
                value += factor * Sum(voxels_[voxel]);
                weight += factor;
            }
        }
    }

private:
    std::span<const T> voxels_;
    std::span<const float> weights_;
    PerAxis<Index> matrix_size_;
};

/// Points of a target voxel whose mean it gets, as distances from its centre along each target axis.
PerAxis<std::vector<double>> points_in_voxel(const GridPlacement& placement) {
    constexpr double most = 32;
    PerAxis<std::vector<double>> points;
    for (int axis = 0; axis < 3; ++axis) {
        const auto count = static_cast<int>(std::clamp(std::ceil(placement.step(axis) - 0.01), 1.0, most));
        for (int p = 0; p < count; ++p) {
            points[axis].push_back((p + 0.5) / count - 0.5);
        }
    }
    return points;
}

}  // namespace

template <class T>
Resampled<T> resample(std::span<const T> voxels, const Geometry& source, const Geometry& target,
                      const std::string& what, std::span<const float> weights) {
    const Index source_count = Shape::image(source.matrix_size).element_count();
    const Index nx = target.matrix_size[0];
    const Index ny = target.matrix_size[1];
    const Index nz = target.matrix_size[2];
    const Index target_count = Shape::image(target.matrix_size).element_count();
    if (static_cast<Index>(voxels.size()) != source_count || (!weights.empty() && weights.size() != voxels.size())) {
        throw ShapeError(fmt::format("{}: {} voxels and {} weights on a grid of {}", what, voxels.size(),
                                     weights.size(), source_count));
    }
    const GridPlacement placement = GridPlacement::of(source, target, what);
    Resampled<T> result;
    result.text = placement.text();
    if (placement.is_identity()) {
        result.voxels.assign(voxels.begin(), voxels.end());
        result.coverage.assign(target_count, 1.0F);
        for (std::size_t n = 0; n < weights.size(); ++n) {
            result.coverage[n] = weights[n];
            result.voxels[n] = weights[n] > 0 ? voxels[n] : T(0);
        }
    } else {
        result.voxels.assign(target_count, T(0));
        result.coverage.assign(target_count, 0.0F);
        const PerAxis<std::vector<double>> points = points_in_voxel(placement);
        const auto point_count = static_cast<double>(points[0].size() * points[1].size() * points[2].size());
        const Interpolator<T> interpolator(voxels, weights, source.matrix_size);
#pragma omp parallel for schedule(static)
        for (Index row = 0; row < ny * nz; ++row) {
            const auto y = static_cast<double>(row % ny), z = static_cast<double>(row / ny);
            for (Index x = 0; x < nx; ++x) {
                typename Interpolator<T>::Sum value = 0;
                double weight = 0;
                for (const double dz : points[2]) {
                    for (const double dy : points[1]) {
                        for (const double dx : points[0]) {
                            interpolator.add(placement.source_index({static_cast<double>(x) + dx, y + dy, z + dz}),
                                             value, weight);
                        }
                    }
                }
                if (weight > 0) {
                    result.voxels[row * nx + x] = T(value / weight);
                    result.coverage[row * nx + x] = static_cast<float>(weight / point_count);
                }
            }
        }
    }
    const auto uncovered = std::count(result.coverage.begin(), result.coverage.end(), 0.0F);
    result.outside_fraction = static_cast<double>(uncovered) / static_cast<double>(target_count);
    return result;
}

template Resampled<float> resample(std::span<const float>, const Geometry&, const Geometry&, const std::string&,
                                   std::span<const float>);
template Resampled<cfloat> resample(std::span<const cfloat>, const Geometry&, const Geometry&, const std::string&,
                                    std::span<const float>);

}  // namespace recon
