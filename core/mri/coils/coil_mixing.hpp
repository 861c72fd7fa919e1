#pragma once

#include <Eigen/Dense>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// [element coil] values of other coils: each row of values times the transpose of `mixing` [new coil, coil].
std::vector<cfloat> mix_coils(const std::vector<cfloat>& values, const Eigen::MatrixXcd& mixing);

}  // namespace recon
