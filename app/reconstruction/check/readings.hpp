#pragma once

#include <string>
#include <vector>

#include "core/mri/check/scan_fix.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// The ways to understand a probe that are worth a try, the likelier mistakes first. Changes that move the whole image
/// and nothing else show against coil maps alone.
std::vector<ScanFix> readings_to_try(const Scan& probe);

/// The CheckFinding::kind of what a fix mends.
std::string kind_of(const ScanFix& fix);

}  // namespace recon
