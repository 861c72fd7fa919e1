#pragma once

#include <vector>

#include "app/reconstruction/options/coil_options.hpp"
#include "core/mri/scan.hpp"

namespace recon {

constexpr Index coils_worth_compressing = 16;  ///< so many may hold fewer signals

/// Coils of the scan whose k-space or map is zero throughout, and those of the options, ascending. One that is silent
/// in the first frame alone stays, where coils stay apart. Says so in the log.
/// @param scan  its first frame stays in memory
std::vector<Index> coils_to_leave_out(Scan& scan, const CoilOptions& options);

}  // namespace recon
