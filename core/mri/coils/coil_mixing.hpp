#pragma once

#include <Eigen/Dense>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Values of the coils become those of other coils, in their place: values <- values mixing^T, rows being the elements.
/// Where there are fewer coils than before, the pages of the others go back to the operating system.
/// @param values  [element coil] on entry, [element new coil] on return
/// @param mixing  [new coil, coil], applied in single precision
void mix_coils(std::vector<cfloat>& values, const Eigen::MatrixXcd& mixing);

}  // namespace recon
