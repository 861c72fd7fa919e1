#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// A column for each row, each taken once, of the least sum of costs: by shortest augmenting paths with potentials, in
/// the cube of the size [Kuhn 1955; Jonker 1987].
/// @param costs  [column row] of a square matrix, any finite numbers
std::vector<Index> least_assignment(const std::vector<double>& costs, Index size);

}  // namespace recon
