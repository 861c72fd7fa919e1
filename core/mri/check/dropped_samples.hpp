#pragma once

#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// Leaves samples out of frames, their k-space, positions, weights and times. Frames that shared these still do where
/// they lose the same samples. Readouts then differ in length, as far as is known (`samples_per_readout` becomes 0).
/// @param of_frames  for each frame, ascending; empty: none
void drop_samples(Scan& scan, const std::vector<std::vector<Index>>& of_frames);

}  // namespace recon
