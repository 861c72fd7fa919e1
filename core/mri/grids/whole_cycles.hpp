#pragma once

#include <vector>

namespace recon {

/// Whether samples see what is beyond the field of view by itself: a tenth of them lie between whole cycles of it.
/// @param k  of one axis, in cycles per field of view
bool lies_off_whole_cycles(const std::vector<double>& k);

}  // namespace recon
