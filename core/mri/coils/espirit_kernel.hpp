#pragma once

#include <vector>

#include "core/mri/coils/calibration_region.hpp"

namespace recon {

/// A patch of calibration k-space, and where it fits.
struct EspiritKernel {
    PerAxis<Index> width;                 ///< points
    std::vector<PerAxis<Index>> points;   ///< of an ellipsoid that fills the box
    std::vector<PerAxis<Index>> corners;  ///< of patches that lie in the region, a cycle per FOV apart

    /// Of the calibration matrix.
    Index columns(Index coil_count) const { return static_cast<Index>(points.size()) * coil_count; }
    /// As many columns as noise of the same energy fills evenly, (tr C)^2 / tr C^2 of its covariance C: of an image no
    /// wider than the field of view, points of k-space that lie closer than a cycle per FOV apart share their noise.
    /// @param step  cycles per FOV from one point to the next
    Index free_columns(Index coil_count, double step) const;
    /// Of G, a polynomial in the differences of two points.
    PerAxis<Index> degree() const { return {width[0] - 1, width[1] - 1, width[2] - 1}; }
};

/// The largest kernel that leaves enough patches and not too many columns.
/// @param region  in points  @param asked  width; 0: half of the region's radius, at most 6
EspiritKernel choose_kernel(const CalibrationRegion& region, Index coil_count, Index asked, Index points_per_cycle);

}  // namespace recon
