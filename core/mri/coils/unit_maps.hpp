#pragma once

#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/field/trigonometric_field.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

/// Coil maps of unit root-sum-of-squares at every voxel where they are not all zero: a fitted image is then what all
/// coils see, and a few iterations find it where a map of sensitivities as they are would be a thousand times larger at
/// one place than at another.
/// @param maps  [x y z coil], in place
void divide_by_root_sum_of_squares(std::vector<cfloat>& maps, Index coil_count);

/// Those of sensitivities that are known anywhere, divided by the root-sum-of-squares of all of them.
/// @param sensitivities  one component a coil  @param coils  whose maps are wanted  @return [x y z coil] of those
std::vector<cfloat> unit_maps(const TrigonometricField& sensitivities, const PerAxis<Index>& matrix_size,
                              const Share& coils);

}  // namespace recon
