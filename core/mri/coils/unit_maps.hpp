#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Coil maps of unit root-sum-of-squares at every voxel where they are not all zero: a fitted image is then what all
/// coils see, and a few iterations find it where a map of sensitivities as they are would be a thousand times larger at
/// one place than at another.
/// @param maps  [x y z coil], in place
void divide_by_root_sum_of_squares(std::vector<cfloat>& maps, Index coil_count);

}  // namespace recon
