#pragma once

#include <vector>

#include "app/reconstruction/options/coil_options.hpp"
#include "core/mri/scan.hpp"

namespace recon {

constexpr Index coils_worth_compressing = 16;  ///< so many may hold fewer signals

struct SilentCoils {
    std::vector<Index> left_out;    ///< those that are silent throughout, and those of the options, ascending
    bool some_fall_silent = false;  ///< coils hold nothing but zeros in some frames, and more in others
};

/// Coils of the scan whose k-space or map is zero throughout. Of frames that are read when their turn comes eight are
/// looked at, and of scans without a coil that is silent in the first and without coils that may be mixed, that alone.
/// Says so in the log.
/// @param scan  its first frame stays in memory
SilentCoils silent_coils(Scan& scan, const CoilOptions& options);

}  // namespace recon
