#include "core/mri/coils/calibration_region.hpp"

#include <algorithm>
#include <cmath>

#include "core/fourier/whole_cycles.hpp"
#include "core/parallel/ordered_indices.hpp"

namespace recon {
namespace {

/// sum of squares of k over radius; above 1 outside
double normalised_square(const PerAxis<double>& k, const PerAxis<double>& radius, double margin) {
    double square = 0;
    for (int axis = 0; axis < 3; ++axis) {
        const double ratio = radius[axis] > 0 ? k[axis] / (radius[axis] + margin) : 0;
        square += ratio * ratio;
    }
    return square;
}

PerAxis<double> sample_of(const Trajectory& trajectory, Index m) {
    return {trajectory.k[0][m], trajectory.k[1][m], trajectory.k[2][m]};
}

/// Which points of the box have a sample within `distance` < 1.
std::vector<char> points_with_samples(const CalibrationRegion& region, const Trajectory& trajectory, double distance) {
    const PerAxis<Index> half = region.half_extent();
    const Shape box = region.box();
    std::vector<char> covered(box.element_count(), 0);
    char* const flags = covered.data();
    const std::vector<Index> samples = samples_within(region, trajectory, 1);
#pragma omp parallel for schedule(static) reduction(max : flags[:covered.size()])
    for (const Index m : samples) {
        const PerAxis<double> k = sample_of(trajectory, m);
        PerAxis<Index> first{};
        PerAxis<Index> last{};
        for (int axis = 0; axis < 3; ++axis) {
            const bool present = region.radius[axis] > 0;
            first[axis] = present ? std::max(-half[axis], static_cast<Index>(std::floor(k[axis]))) : 0;
            last[axis] = present ? std::min(half[axis], static_cast<Index>(std::floor(k[axis])) + 1) : 0;
        }
        for (Index z = first[2]; z <= last[2]; ++z) {
            for (Index y = first[1]; y <= last[1]; ++y) {
                for (Index x = first[0]; x <= last[0]; ++x) {
                    double square = 0;
                    const PerAxis<Index> point{x, y, z};
                    for (int axis = 0; axis < 3; ++axis) {
                        const double step = k[axis] - static_cast<double>(point[axis]);
                        square += region.radius[axis] > 0 ? step * step : 0;
                    }
                    if (square <= distance * distance) {
                        flags[((z + half[2]) * box.extent(1) + y + half[1]) * box.extent(0) + x + half[0]] = 1;
                    }
                }
            }
        }
    }
    return covered;
}

/// Whether samples are lines on whole cycles, or points: what of these is missing nothing near it tells.
bool lies_on_lattice(const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    int present = 0, off = 0;
    for (int axis = 0; axis < 3; ++axis) {
        present += matrix_size[axis] > 1 ? 1 : 0;
        off += matrix_size[axis] > 1 && lies_off_whole_cycles(trajectory.k[axis]) ? 1 : 0;
    }
    return present > 1 && off <= 1;
}

constexpr double part_of_others = 0.95;  ///< that has samples, of a region that is covered

/// The same of Cartesian lines. A radius that is hardly larger than a whole number adds a point at each end of the axes
/// and no more: these are easily there by chance.
double part_of_lines(double radius) {
    constexpr double hardly = 0.25;
    return radius - std::floor(radius) < hardly ? 1 : 0.99;
}

constexpr double near_enough = 0.75;  ///< cycles per FOV from a point to a sample

/// The part of a region's points that have a sample. @param covered  of the points of `largest`, which holds the region
double part_covered(const CalibrationRegion& region, const CalibrationRegion& largest,
                    const std::vector<char>& covered) {
    const PerAxis<Index> half = largest.half_extent();
    double inside = 0;
    double with_sample = 0;
    auto point = covered.begin();
    for (Index z = -half[2]; z <= half[2]; ++z) {
        for (Index y = -half[1]; y <= half[1]; ++y) {
            for (Index x = -half[0]; x <= half[0]; ++x, ++point) {
                const bool is_inside =
                    region.contains({static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)});
                inside += is_inside ? 1 : 0;
                with_sample += is_inside && *point != 0 ? 1 : 0;
            }
        }
    }
    return with_sample / inside;
}

}  // namespace

bool is_volume(const PerAxis<Index>& matrix_size) {
    return std::ranges::all_of(matrix_size, [](Index extent) { return extent > 1; });
}

PerAxis<Index> CalibrationRegion::half_extent() const {
    return {static_cast<Index>(radius[0]), static_cast<Index>(radius[1]), static_cast<Index>(radius[2])};
}

Shape CalibrationRegion::box() const {
    const PerAxis<Index> half = half_extent();
    return {{"kx", 2 * half[0] + 1}, {"ky", 2 * half[1] + 1}, {"kz", 2 * half[2] + 1}};
}

bool CalibrationRegion::contains(const PerAxis<double>& k, double margin) const {
    return normalised_square(k, radius, margin) <= 1;
}

CalibrationRegion CalibrationRegion::of_radius(const PerAxis<Index>& matrix_size, double radius) {
    CalibrationRegion region;
    for (int axis = 0; axis < 3; ++axis) {
        region.radius[axis] = matrix_size[axis] > 1 ? std::min(radius, static_cast<double>(matrix_size[axis]) / 2) : 0;
    }
    return region;
}

MeasuredRegion CalibrationRegion::covered_by(const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                                             double largest_radius) {
    const CalibrationRegion largest = of_radius(matrix_size, largest_radius);
    const std::vector<char> covered = points_with_samples(largest, trajectory, near_enough);
    const bool is_cartesian = lies_on_lattice(trajectory, matrix_size);
    constexpr int steps = 24;
    const double longest = *std::max_element(largest.radius.begin(), largest.radius.end());
    MeasuredRegion measured{largest};
    for (int step = steps; step > steps / 3 && !measured.is_covered; --step) {
        const double radius_of_step = longest * static_cast<double>(step) / steps;
        measured.region = largest;
        for (double& radius : measured.region.radius) {  // what there is of a short axis is all needed
            radius = std::min(radius, radius_of_step);
        }
        measured.part = part_covered(measured.region, largest, covered);
        measured.is_covered = measured.part >= (is_cartesian ? part_of_lines(radius_of_step) : part_of_others);
    }
    return measured;
}

double CalibrationRegion::part_covered_by(const Trajectory& trajectory) const {
    return part_covered(*this, *this, points_with_samples(*this, trajectory, near_enough));
}

CalibrationRegion CalibrationRegion::in_points(Index points_per_cycle) const {
    CalibrationRegion result = *this;
    for (double& extent : result.radius) {
        extent *= static_cast<double>(points_per_cycle);
    }
    return result;
}

std::vector<Index> samples_within(const CalibrationRegion& region, const Trajectory& trajectory, double margin) {
    return ordered_indices(trajectory.sample_count(),
                           [&](Index m) { return region.contains(sample_of(trajectory, m), margin); });
}

double CalibrationKspace::energy() const {
    const PerAxis<Index> half = region.half_extent();
    double energy = 0;
    auto value = values.begin();
    for (Index coil = 0; coil < coil_count; ++coil) {
        for (Index z = -half[2]; z <= half[2]; ++z) {
            for (Index y = -half[1]; y <= half[1]; ++y) {
                for (Index x = -half[0]; x <= half[0]; ++x, ++value) {
                    const PerAxis<double> k{static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)};
                    energy += region.contains(k) ? std::norm(*value) : 0;
                }
            }
        }
    }
    return energy;
}

}  // namespace recon
