#pragma once

#include <optional>

#include "app/reconstruction/check/fits/calibration_probe.hpp"
#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "core/mri/check/check_finding.hpp"

namespace recon {

/// Coils whose data and maps have different scales, as of a receiver whose gain was changed in between, or a map that
/// was scaled by itself: where data with their gains taken back leave clearly less unexplained than `as_it_is`.
/// @return nothing without maps, or where more than half of the coils would be odd
std::optional<CheckFinding> coil_gain_finding(const CalibrationProbe& probe, LowResolutionFits& fits, Backend& backend,
                                              const LowResolutionFit& as_it_is);

}  // namespace recon
