#pragma once

#include <optional>

#include "core/mri/check/check_finding.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Whether the readouts of a radial scan cross where late gradients would have them (RING,
/// core/mri/gradients/ring.hpp); nothing where they do not, or where that cannot be told: readouts that are not radial
/// in a plane, or coils that are elsewhere. @param frame  of the scan, in memory
std::optional<CheckFinding> gradient_delay_finding(const Scan& scan, const Frame& frame);

}  // namespace recon
