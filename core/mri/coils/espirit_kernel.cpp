#include "core/mri/coils/espirit_kernel.hpp"

#include <algorithm>
#include <cmath>

namespace recon {
namespace {

/// Larger calibration matrices get a smaller kernel: their eigenvectors take seconds, and as many coils need no more.
constexpr Index most_columns = 1024;
/// Radius of the region from which on two points of a kernel fit along an axis in more than the region's pole.
constexpr double least_radius_of_two = 1.5;

/// Offsets of a kernel from its corner: the points of an ellipsoid that fills the box.
std::vector<PerAxis<Index>> kernel_points(const PerAxis<Index>& width) {
    std::vector<PerAxis<Index>> points;
    for (Index z = 0; z < width[2]; ++z) {
        for (Index y = 0; y < width[1]; ++y) {
            for (Index x = 0; x < width[0]; ++x) {
                const PerAxis<Index> point{x, y, z};
                double square = 0;
                for (int axis = 0; axis < 3; ++axis) {
                    const double from_middle =
                        static_cast<double>(point[axis]) - static_cast<double>(width[axis] - 1) / 2;
                    square += std::pow(2 * from_middle / static_cast<double>(width[axis]), 2);
                }
                if (square <= 1) {
                    points.push_back(point);
                }
            }
        }
    }
    return points;
}

/// Of the region's box, [x y z].
std::vector<char> points_inside(const CalibrationRegion& region) {
    const PerAxis<Index> half = region.half_extent();
    std::vector<char> is_inside;
    for (Index z = -half[2]; z <= half[2]; ++z) {
        for (Index y = -half[1]; y <= half[1]; ++y) {
            for (Index x = -half[0]; x <= half[0]; ++x) {
                const PerAxis<double> k{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
                is_inside.push_back(region.contains(k) ? 1 : 0);
            }
        }
    }
    return is_inside;
}

/// Positions whose kernels lie in the region, a cycle per FOV apart.
std::vector<PerAxis<Index>> patch_corners(const CalibrationRegion& region, const std::vector<PerAxis<Index>>& kernel,
                                          Index points_per_cycle) {
    PerAxis<Index> end = region.half_extent(), begin{};
    for (int axis = 0; axis < 3; ++axis) {
        begin[axis] = -(end[axis] / points_per_cycle) * points_per_cycle;
    }
    const std::vector<char> is_inside = points_inside(region);
    const PerAxis<Index> size = region.box().matrix_size();
    const auto fits_at = [&](const PerAxis<Index>& corner) {
        return std::all_of(kernel.begin(), kernel.end(), [&](const PerAxis<Index>& point) {
            PerAxis<Index> at{};
            for (int axis = 0; axis < 3; ++axis) {
                at[axis] = corner[axis] + point[axis] + end[axis];
                if (at[axis] >= size[axis]) {
                    return false;
                }
            }
            return is_inside[(at[2] * size[1] + at[1]) * size[0] + at[0]] != 0;
        });
    };
    std::vector<PerAxis<Index>> corners;
    for (Index z = begin[2]; z <= end[2]; z += points_per_cycle) {
        for (Index y = begin[1]; y <= end[1]; y += points_per_cycle) {
            for (Index x = begin[0]; x <= end[0]; x += points_per_cycle) {
                if (fits_at({x, y, z})) {
                    corners.push_back({x, y, z});
                }
            }
        }
    }
    return corners;
}

}  // namespace

EspiritKernel choose_kernel(const CalibrationRegion& region, Index coil_count, Index asked, Index points_per_cycle) {
    const double radius = *std::max_element(region.radius.begin(), region.radius.end());
    Index width = asked > 0 ? asked : std::clamp<Index>(std::lround(radius / 2), 1, 6);
    for (;; --width) {
        EspiritKernel kernel;
        for (int axis = 0; axis < 3; ++axis) {  // along short axes in proportion, but one of 1 is blind to all change
            const Index in_proportion =
                std::lround(static_cast<double>(width) * region.radius[axis] / std::max(radius, 1.0));
            const Index least = std::min<Index>(region.radius[axis] >= least_radius_of_two ? 2 : 1, width);
            kernel.width[axis] = std::clamp<Index>(in_proportion, least, width);
        }
        kernel.points = kernel_points(kernel.width);
        if (width > 1 && asked == 0 && kernel.columns(coil_count) > most_columns) {
            continue;
        }
        kernel.corners = patch_corners(region, kernel.points, points_per_cycle);
        if (width == 1 || !kernel.corners.empty()) {
            return kernel;
        }
    }
}

Index EspiritKernel::free_columns(Index coil_count, double step) const {
    double squares = 0;
    for (const PerAxis<Index>& p : points) {
        for (const PerAxis<Index>& p2 : points) {
            double covariance = 1;
            for (int axis = 0; axis < 3; ++axis) {
                const double turns = pi * step * static_cast<double>(p[axis] - p2[axis]);
                covariance *= p[axis] == p2[axis] ? 1 : std::sin(turns) / turns;
            }
            squares += covariance * covariance;
        }
    }
    const auto count = static_cast<double>(points.size());
    return coil_count * std::max<Index>(1, std::lround(count * count / squares));
}

}  // namespace recon
