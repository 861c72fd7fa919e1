#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/reconstruction/options/check_options.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/gradients/gradient_delays.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Gradient delays. Of a radial scan: in a plane where readouts cross (RING, core/mri/gradients/ring.hpp), of a volume
/// by what an image of low resolution leaves of the data (fit_gradient_delays). Of readouts that leave the centre of
/// k-space: by what no image has of the samples around it (core/mri/gradients/centre_out_delays.hpp). Where processes
/// hold parts of the coils each calls it.
/// @param frame  of the scan, in memory
/// @throws InputError if readouts neither go through the centre on a line nor begin there, or do not tell
DelayEstimate estimate_delays(const Scan& scan, const Frame& frame, Backend& backend);

/// Whether the readouts of a scan disagree as those of late gradients do, or of wrong first samples; nothing where they
/// do not, or cannot tell, or where coils are held by other processes, which are not asked here.
/// @param frame  of the scan, in memory
std::optional<CheckFinding> gradient_delay_finding(const Scan& scan, const Frame& frame, Backend& backend);

struct CorrectedDelays {
    std::optional<DelayEstimate> estimate;  ///< by which the positions of all frames were moved; none: they were not
    std::vector<CheckFinding> findings;     ///< unless it was asked for
};
/// Moves the samples of all frames to where late gradients took them, or leaves out their first samples where these are
/// what does not fit, by what the first one shows.
/// @param which  not none; automatic: where the readouts disagree as those of late gradients do
/// @param applied  gets what was done, for people  @throws as estimate_delays, where it was asked for
CorrectedDelays correct_delays(Scan& scan, Mending which, Backend& backend, std::vector<std::string>& applied);

}  // namespace recon
