#pragma once

#include <optional>

#include "app/reconstruction/check/fits/calibration_probe.hpp"
#include "app/reconstruction/check/fits/low_resolution_fit.hpp"
#include "core/mri/check/check_finding.hpp"

namespace recon {

struct OddCoil {
    Index number = 0;
    CheckFinding finding;
};

/// The one coil that does not fit the others, as of a map of the opposite sign or of another coil: where the others by
/// themselves leave clearly less unexplained than all (`as_it_is`), and than those without any other one.
/// @return nothing without maps, or of fewer than four coils, of which any three may explain themselves
std::optional<OddCoil> odd_coil(const CalibrationProbe& probe, LowResolutionFits& fits,
                                const LowResolutionFit& as_it_is);

}  // namespace recon
