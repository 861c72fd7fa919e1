#pragma once

#include <optional>

#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "app/reconstruction/check/fits/time_limit.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Whether k is a little too large or small, along one axis or all, or readouts are a little longer or shorter than
/// their trajectory: a few percent, which the coil maps tell, as the image alone would be of another size.
/// Nothing is said of data that are mostly noise: what is fitted to noise is biased.
/// @param probe  `sharper`, with coil maps  @param as_it_is  its fit of FitDetail::sharp
std::optional<CheckFinding> factor_finding(const Scan& probe, const LowResolutionFit& as_it_is, Backend& backend,
                                           const TimeLimit& limit);

}  // namespace recon
