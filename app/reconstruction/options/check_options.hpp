#pragma once

#include <vector>

#include "core/mri/check/scan_fix.hpp"

namespace recon {

/// Whether what is no measurement is taken out of the data: by itself, where that is certain and with a finding; as was
/// asked for; or not.
enum class Mending { automatic, asked, none };

/// What is to be done about a scan before it is reconstructed.
struct CheckOptions {
    bool look = true;            ///< for the usual mistakes
    bool judge = true;           ///< what is seen; else another process does, and this one looks at its coils for it
    std::vector<ScanFix> fixes;  ///< those of maps are applied first; the others were when the scan was read
    Mending spikes = Mending::none;   ///< samples that stand out of all around them are left out; automatic: a few
    Mending offsets = Mending::none;  ///< what the receiver has added to every sample is subtracted
    Mending delays = Mending::none;   ///< samples are moved to where late gradients took them
    bool drop_noisy = false;          ///< leave out coils that hold little but noise
    double most_seconds = 1;          ///< for other readings of a scan that is not explained as it is
};

}  // namespace recon
