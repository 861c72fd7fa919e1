#pragma once

#include "data/reading/scan_reader.hpp"

namespace recon {

/// Keeps or drops samples beyond the band that the matrix can show, and says how many there are.
/// @param of_user  whether the matrix is the user's wish, and nothing to wonder at
/// @throws InputError if all samples of a frame would be dropped
void apply_band_rule(Scan& scan, OutOfBand rule, bool of_user);

/// Samples beyond [-N/2, N/2] on an axis with N > 1 voxels. Samples on the edge count as inside.
Index count_out_of_band(const Trajectory& trajectory, const PerAxis<Index>& matrix_size);

}  // namespace recon
