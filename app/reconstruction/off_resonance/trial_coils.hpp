#pragma once

#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// How many coils the check of a field map looks at.
Index strongest_count(const Scan& scan);
/// Those of the most energy in a frame.
std::vector<Index> strongest_coils(const Scan& scan, const Frame& frame);

/// The scan's own maps of some coils on other voxels, of unit root-sum-of-squares, [x y z coil]; empty where it has
/// none, or one coil is looked at, or other processes have some. Maps that are found in the echo instead have the phase
/// of the field in them.
std::vector<cfloat> maps_of_trial(const Scan& scan, const Frame& frame, const std::vector<Index>& coils,
                                  const PerAxis<Index>& matrix_size);

}  // namespace recon
