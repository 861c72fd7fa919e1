#pragma once

#include <vector>

#include "core/mri/all_coils.hpp"
#include "core/mri/check/coils/coil_noise.hpp"

namespace recon {

/// Coils whose samples within two cycles per field of view of k = 0, along each axis, hold no signal, where those of
/// most coils do: their root mean square is a hundredth of the median, or no more than twice the coil's noise where the
/// median is 20 times its own. A map of such a coil wants signal that is not there; without one it sees nothing that
/// others do not.
/// @param noise  of the same coils, known or not  @return ascending; of fewer than three coils none
std::vector<Index> deaf_coils(const AllCoils& kspace, const Trajectory& trajectory, const CoilNoise& noise);

}  // namespace recon
