#pragma once

#include <span>
#include <vector>

#include "core/mri/coils/calibration_region.hpp"

namespace recon {

/// K-space of images at whole cycles per FOV, or at so many points in each, d[k] = sum_n rho_n exp(-i 2 pi k.r_n), by
/// the definition. @param images  [x y z coil] of `matrix_size`  @param region  in cycles per FOV
CalibrationKspace cartesian_kspace(std::span<const cdouble> images, const PerAxis<Index>& matrix_size,
                                   const CalibrationRegion& region, Index points_per_cycle = 1);
CalibrationKspace cartesian_kspace(std::span<const cfloat> images, const PerAxis<Index>& matrix_size,
                                   const CalibrationRegion& region);

}  // namespace recon
