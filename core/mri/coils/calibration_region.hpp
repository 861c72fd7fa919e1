#pragma once

#include <vector>

#include "core/base/shape.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

struct MeasuredRegion;

/// Whether all three axes have more than one voxel.
bool is_volume(const PerAxis<Index>& matrix_size);

/// The centre of k-space: an ellipsoid about k = 0, and the points of Cartesian k-space (whole cycles per FOV) in it.
struct CalibrationRegion {
    PerAxis<double> radius{0, 0, 0};  ///< cycles per FOV; 0 along an axis with one voxel

    PerAxis<Index> half_extent() const;
    /// [kx ky kz]: the box of Cartesian points around the ellipsoid, k = 0 in its middle
    Shape box() const;
    /// Whether k lies in the ellipsoid, made larger by `margin` cycles per FOV. Axes of radius 0 do not count.
    bool contains(const PerAxis<double>& k, double margin = 0) const;

    /// The largest region up to `largest_radius` cycles per FOV and half of the matrix along each axis that the
    /// trajectory covers: 95 % of its points have a sample within 3/4 cycle per FOV, 99 % where these are Cartesian
    /// lines. At least a third of the largest.
    static MeasuredRegion covered_by(const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                                     double largest_radius);
    /// The part of its points that have a sample within 3/4 cycle per FOV.
    double part_covered_by(const Trajectory& trajectory) const;
    /// The same in cycles of a field of view so many times as wide.
    CalibrationRegion in_points(Index points_per_cycle) const;
    /// Of this radius, or half of the matrix along shorter axes.
    static CalibrationRegion of_radius(const PerAxis<Index>& matrix_size, double radius);
};

struct MeasuredRegion {
    CalibrationRegion region;
    double part = 0;          ///< as CalibrationRegion::part_covered_by
    bool is_covered = false;  ///< as covered_by asks; else it is the least that this looks at
};

/// Indices of the samples in a region enlarged by `margin`.
std::vector<Index> samples_within(const CalibrationRegion& region, const Trajectory& trajectory, double margin);

/// K-space on the box of a region. Points closer than a cycle per FOV are those of a wider field of view, in the middle
/// of which the object is.
struct CalibrationKspace {
    CalibrationRegion region;  ///< in points, which are cycles of that field of view
    Index coil_count = 1;
    std::vector<cdouble> values;  ///< [kx ky kz coil]
    Index points_per_cycle = 1;   ///< along each axis

    /// Cycles per FOV from one point to the next.
    double step() const { return 1 / static_cast<double>(points_per_cycle); }
    /// Of all coils, without the corners of the box.
    double energy() const;
};

}  // namespace recon
