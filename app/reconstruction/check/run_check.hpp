#pragma once

#include <optional>
#include <string>
#include <vector>

#include "app/pipeline/run.hpp"
#include "app/reconstruction/check/scan_check.hpp"
#include "app/reconstruction/options/check_options.hpp"
#include "app/reconstruction/options/coil_options.hpp"
#include "app/reconstruction/options/margin_options.hpp"
#include "core/mri/gradients/gradient_delays.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// What was found and done before a reconstruction.
struct RunCheck {
    bool looked = false;                  ///< at low resolution; `scan` is empty else
    Margin margin{};                      ///< by which the scan was widened
    std::optional<DelayEstimate> delays;  ///< by which its samples were moved
    ScanCheck scan;                       ///< as `recon check` has it, other readings only where they were needed
    std::vector<std::string>
        applied;  ///< changes to the scan, for people: "fix conjugate", "despike: 3 samples of ..."
};

/// The first stage of a run: applies the fixes, leaves out what the options ask for, and looks for the usual mistakes
/// (check_scan_physics) in a fraction of the run's time: other readings of the scan are tried where the scan as it is
/// leaves more than noise and low resolution explain, for a second at most. Findings are warnings in the log; nothing
/// but the options changes the scan.
/// @param scan   its first frame stays in memory, to be the first that is reconstructed; maps that `coils` does not use
/// are left out
/// @param coils  gets the coils to leave out
/// @param run    best on the host: these are small things, for which a device would wait for itself
RunCheck check_before_run(Scan& scan, CoilOptions& coils, const MarginOptions& margin, const CheckOptions& options,
                          Run& run);

}  // namespace recon
