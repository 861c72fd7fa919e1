#pragma once

#include <vector>

#include "core/mri/coils/calibration_region.hpp"

namespace recon {

/// What coil maps leave of the low-resolution images m of the coils that they were made from: sum_r |m - S S^H m|^2
/// over sum_r |m|^2, at rows of voxels along x spread over the image.
/// @param maps  [x y z coil], of unit root-sum-of-squares, or 0
/// @return 0 to 1; 0 without any signal
double unexplained_part(const CalibrationKspace& calibration, const std::vector<cfloat>& maps,
                        const PerAxis<Index>& matrix_size);

}  // namespace recon
