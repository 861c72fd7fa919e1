#pragma once

#include <vector>

#include "core/mri/all_coils.hpp"

namespace recon {

/// Samples that stand out of everything around them, as sparks in the room or the gradients leave them. By the root sum
/// of squares over the coils such a sample is
///
/// - eight times as large as those two to four places before and after it in its readout, and
/// - six times as large as 99.5 % of all samples as far from the centre of k-space, or further.
///
/// Nearer to the centre than 1.5 cycles per field of view, where an echo looks like this, none is found.
/// @return ascending; none where more than a two-hundredth of the samples would be: those are no outliers
std::vector<Index> find_spikes(const AllCoils& kspace, const Trajectory& trajectory, const PerAxis<Index>& matrix_size,
                               Index samples_per_readout);

}  // namespace recon
