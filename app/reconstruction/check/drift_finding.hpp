#pragma once

#include <optional>

#include "app/reconstruction/check/fits/calibration_probe.hpp"
#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "app/reconstruction/check/fits/time_limit.hpp"
#include "core/mri/check/check_finding.hpp"

namespace recon {

/// Whether the object moved, its phase turned or its signal fell while the readouts were taken: data d of each quarter
/// of them, in the order of the file, are compared with what the image of all explains, p,
///
///     d = g exp(i phi - i 2 pi k.delta) p,
///
/// g, phi and delta by least squares, that taken back, and the image fitted anew, a few times; without delta first. It
/// is a finding where this leaves clearly less unexplained than `as_it_is`.
/// @param limit  ends the rounds: what they have found until then counts
std::optional<CheckFinding> drift_finding(const CalibrationProbe& probe, const Geometry& geometry,
                                          LowResolutionFits& fits, const LowResolutionFit& as_it_is,
                                          bool maps_are_known, const TimeLimit& limit);

}  // namespace recon
