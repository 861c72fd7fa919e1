#pragma once

#include <optional>

#include "app/reconstruction/check/fits/calibration_probe.hpp"
#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "app/reconstruction/check/fits/time_limit.hpp"
#include "core/mri/check/check_finding.hpp"

namespace recon {

/// Whether one readout is missing and those after it have moved up, or one is there too many and they have moved down:
/// where the image leaves clearly less when the readouts from one on have the positions of their neighbours.
/// @param sharp  `sharper` of the probe  @param trajectory  of the first frame, from which the probe has its samples
/// @param fits  of FitDetail::sharp  @param as_it_is  `sharp`, by these
std::optional<CheckFinding> moved_readouts_finding(const CalibrationProbe& probe, const Scan& sharp,
                                                   const Trajectory& trajectory, LowResolutionFits& fits,
                                                   const LowResolutionFit& as_it_is, const TimeLimit& limit);

}  // namespace recon
