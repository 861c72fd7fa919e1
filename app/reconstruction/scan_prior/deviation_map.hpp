#pragma once

#include "core/backend/array.hpp"
#include "core/base/named_array.hpp"

namespace recon {

/// "uncertainty/sd", the root of the variance of each voxel, smoothed so far that about 50 numbers stand behind each:
/// their root mean square is good to 7 %.
/// @param squares  sums over `samples` squares of each voxel, [x y z], in a unit of their own; overwritten
/// @param energy   of the whole map, the sum of its squares
NamedArray deviation_map(ArrayView squares, Index samples, double energy);

}  // namespace recon
