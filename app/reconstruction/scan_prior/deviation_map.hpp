#pragma once

#include <vector>

#include "core/base/named_array.hpp"

namespace recon {

/// "uncertainty/sd", the root of the variance of each voxel, smoothed so far that about 50 numbers stand behind each:
/// their root mean square is good to 7 %.
/// @param variance  the mean over `samples` squares of each voxel, [x y z]
NamedArray deviation_map(std::vector<double> variance, PerAxis<Index> matrix_size, Index samples);

}  // namespace recon
