#pragma once

#include <vector>

#include "core/mri/check/coils/coil_noise.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Coils that hold no signal in the first frame (deaf_coils), but noise or rounding; of a series in the last one
/// either. Those of zeros are not among them: they may be silent in some frames alone, and each frame says so.
/// @param first  with its k-space  @param noise  of it. Where processes hold parts of the coils each asks
std::vector<Index> coils_without_signal(const Scan& scan, const Frame& first, const CoilNoise& noise);

}  // namespace recon
