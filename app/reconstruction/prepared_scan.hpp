#pragma once

#include <memory>
#include <vector>

#include "app/pipeline/run_control.hpp"
#include "app/reconstruction/coils/coil_preparation.hpp"
#include "app/reconstruction/off_resonance/off_resonance_output.hpp"
#include "app/reconstruction/options/reconstruct_options.hpp"
#include "app/reconstruction/scan_prior/evidence/series_shells.hpp"
#include "app/reconstruction/tolerance/tolerance_choice.hpp"
#include "core/base/named_array.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// What is done to a scan, in place, and found out about it, before its first frame.
struct PreparedScan {
    /// @throws InputError, UsageError as prepare_coils
    PreparedScan(Scan& scan, const ReconstructOptions& options, RunControl& control);

    FrameArrays off_resonance;  ///< as off_resonance_for_file
    PreparedCoils coils;
    ChosenTolerance tolerance;
    std::unique_ptr<const SeriesShells> series;  ///< as series_shells
};

}  // namespace recon
