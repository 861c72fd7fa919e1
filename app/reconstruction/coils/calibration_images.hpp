#pragma once

#include <vector>

#include "core/mri/coils/calibration_region.hpp"

namespace recon {

/// Low-resolution images of the coils, on the grid over the field of view that k-space of a calibration region is found
/// through.
struct CalibrationImages {
    CalibrationRegion region;
    PerAxis<Index> matrix;
    std::vector<cdouble> values;  ///< [x y z coil]
    double scale = 1;             ///< of their k-space to that of the samples

    /// At whole cycles per FOV, or at so many points in each.
    CalibrationKspace kspace(Index points_per_cycle = 1) const;
    /// Makes them the images of all that several frames show, which the same coils see: a sum, turned in phase so that
    /// frames that are alike add up as noise does, and none takes away what another shows.
    /// @param of_others  of the same region, three at most
    void add(const std::vector<CalibrationImages>& of_others);
    /// Whether what they show touches opposite borders of the field of view, along any axis.
    bool touch_opposite_borders() const;
};

}  // namespace recon
