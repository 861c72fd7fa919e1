#pragma once

#include <string_view>

namespace recon {

/// Why a solver took its last step.
enum class StopReason {
    iterations,       ///< as many as it was given
    residual,         ///< small enough
    energy,           ///< no longer gains
    predicted_error,  ///< of the image no longer changes
    cancelled,        ///< the observer, as at Ctrl-C
    breakdown,        ///< rounding has used up what the method works with
    zero_data,        ///< the right-hand side is zero, and so is the solution
};

/// As the record and the log have it: docs/user-guide.md.
std::string_view name_of(StopReason reason);

}  // namespace recon
