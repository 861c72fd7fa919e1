#pragma once

#include <string>
#include <vector>

#include "core/mri/check/scan_fix.hpp"

namespace recon {

/// What to type where a fix was found on top of those that were applied: "`fix` conjugate,mirror=x" of all of them, or
/// "leave out `fix` conjugate" where it undoes one.
/// @param fix  as ScanFix::text; may be empty: so is the answer
std::string fix_advice(const std::string& fix, const std::vector<ScanFix>& applied);

}  // namespace recon
