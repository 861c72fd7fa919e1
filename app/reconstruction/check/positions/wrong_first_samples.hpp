#pragma once

#include <optional>
#include <string>

#include "core/mri/check/check_finding.hpp"
#include "core/mri/gradients/centre_out_delays.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// What is of no image around the centre of k-space, as it is and otherwise, for people. @param before, after  parts
std::string part_of_no_image(double before, double after);

/// First samples of all readouts that leave the centre, where they are what does not fit
/// (wrong_samples_are_the_reason).
/// @param what_then  becomes of them, for people
std::optional<CheckFinding> wrong_first_samples(const CentreOutEstimate& found, const std::string& what_then);

/// Leaves them out of every readout of all frames, and one more, as receivers settle little by little, if samples near
/// the centre stay.
/// @return what was done, for people
std::string leave_out_first_samples(Scan& scan, const CentreOutEstimate& found);

}  // namespace recon
