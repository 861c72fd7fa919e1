#pragma once

#include <string>
#include <vector>

#include "app/reconstruction/options/check_options.hpp"
#include "core/mri/check/check_finding.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// That a frame has samples that stand out of all around them (find_spikes).
/// @param number  of the frame  @param what_of_them  the end of the sentence
CheckFinding spike_finding(const Scan& scan, std::size_t number, const std::vector<Index>& spikes,
                           const std::string& what_of_them);

/// Leaves such samples out of all frames.
/// @param applied  gets what was left out, for people
/// @return a finding for each frame that has any, unless it was asked for
std::vector<CheckFinding> despike(Scan& scan, Mending which, std::vector<std::string>& applied);

}  // namespace recon
