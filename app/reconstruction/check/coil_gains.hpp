#pragma once

#include <optional>
#include <vector>

#include "app/reconstruction/check/calibration_probe.hpp"
#include "app/reconstruction/check/low_resolution_fit.hpp"
#include "core/mri/check/check_finding.hpp"

namespace recon {

/// By how much each coil of a probe is stronger than its map says, as against the median of the coils: of maps taken
/// from its k-space over those that it has, in the median over the voxels. Maps of unit root-sum-of-squares leave what
/// all coils share undetermined.
std::vector<double> coil_gains(const Scan& probe, Backend& backend);

/// Coils whose data and maps have different scales, as of a receiver whose gain was changed in between, or a map that
/// was scaled by itself: where data with these gains taken back leave clearly less unexplained than `as_it_is`.
/// @return nothing without maps, or where most of the coils would be odd
std::optional<CheckFinding> coil_gain_finding(const CalibrationProbe& probe, LowResolutionFits& fits, Backend& backend,
                                              const LowResolutionFit& as_it_is);

}  // namespace recon
