#pragma once

#include "core/backend/array.hpp"
#include "core/base/named_array.hpp"
#include "core/operators/support.hpp"

namespace recon {

/// The root of the variance of each voxel, smoothed so far that about 50 numbers stand behind each:
/// their root mean square is good to 7 %. Outside of the support 0, and not averaged with what is inside.
/// @param squares  sums over `samples` squares of each voxel, [x y z], in a unit of their own; overwritten
/// @param energy   of the whole map, the sum of its squares
/// @param support  null: all voxels
/// @param name     of the map in the image's file
NamedArray deviation_map(const char* name, ArrayView squares, Index samples, double energy, const Support* support);

}  // namespace recon
