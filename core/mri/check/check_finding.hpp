#pragma once

#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// What a check has to say of a scan, or of how an image explains it.
struct CheckFinding {
    /// "dead_coil", "noisy_coil", "dead_readout", "noise_scan", "receiver_offset", "spike", "k_space", "centre_gap",
    /// "trajectory", "readouts", "coil_maps", "field_map", "gradient_delays", "first_samples", "drift", "residual",
    /// "residual_coil", "residual_readout", "residual_place", "model", "field_of_view", "folding", "cannot_tell"
    std::string kind;
    std::string text;  ///< one sentence
    std::string fix;   ///< that mends it, as ScanFix::text(); empty: none is known
};

enum class CheckVerdict { fine, doubtful, unusable };
std::string name_of(CheckVerdict verdict);

/// Doubtful where there is a finding that is more than "cannot_tell".
CheckVerdict verdict_of(const std::vector<CheckFinding>& findings);

/// "coil 3", "coils 3, 5, 8 and 4 more". @param what  in the singular
std::string numbered(const std::string& what, const std::vector<Index>& numbers);

}  // namespace recon
