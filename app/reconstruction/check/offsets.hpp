#pragma once

#include <string>
#include <vector>

#include "app/reconstruction/options/check_options.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// That a receiver has added a number to every sample of these coils (receiver_offsets).
/// @param what_of_it  the end of the sentence
CheckFinding offset_finding(const std::vector<Index>& coils, const std::string& what_of_it);

/// Subtracts such offsets from all frames, each when it is in memory.
/// @param applied  gets what was done to the first, for people
/// @return a finding for the first frame, unless it was asked for; that of a later frame is a line in the log
std::vector<CheckFinding> subtract_offsets(Scan& scan, Mending which, std::vector<std::string>& applied);

}  // namespace recon
