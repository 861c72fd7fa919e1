#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "core/fourier/trajectory.hpp"
#include "core/mri/check/check_finding.hpp"

namespace recon {

/// The least distance of two places along an axis that one coil's samples all but show as one: of the point spread
/// Q(d) = sum_m exp(i 2 pi k_m d / N) nine tenths of Q(0) are left there. Samples at every second cycle of the field of
/// view have it at half of the field.
/// @param k  of this axis, in cycles per field of view
/// @return voxels, of which there are N; nothing where no such places lie in the field, four voxels and more apart
std::optional<double> indistinct_distance(std::span<const double> k, Index voxels);

/// Is the image folded over itself? No prior knows which of two such places the signal is from, and its error is told
/// as if one did.
/// @param image  [x y z], of one coil
/// @param trajectory  in cycles per field of view
/// @param frame  " of frame 3"; empty for the only one
/// @return a finding "folding" where a fifth of the image's energy along an axis has a place in the field of view that
/// its own cannot be told from; else nothing
std::vector<CheckFinding> judge_folding(std::span<const cfloat> image, const PerAxis<Index>& matrix_size,
                                        const Trajectory& trajectory, const std::string& frame = "");

}  // namespace recon
