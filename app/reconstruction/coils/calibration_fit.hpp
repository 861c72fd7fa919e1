#pragma once

#include <span>

#include "core/backend/backend.hpp"
#include "core/mri/coils/calibration_region.hpp"

namespace recon {

/// The coarse grid on which maps are judged: that of the calibration, or coarser where the image is.
PerAxis<Index> misfit_matrix(const CalibrationRegion& region, const PerAxis<Index>& matrix_size);

/// How much of the k-space of a calibration region no image explains that is seen through these maps:
/// min over rho of |F S rho - d| / |d|, by ten iterations of conjugate gradients on the coarse grid of the region.
/// Right maps leave the noise, and what their grid cannot show.
/// @param maps  [x y z coil] of the grid misfit_matrix
double calibration_misfit(Backend& backend, const CalibrationKspace& calibration, std::span<const cfloat> maps,
                          const PerAxis<Index>& matrix_size);

}  // namespace recon
