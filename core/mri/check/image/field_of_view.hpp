#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/fourier/trajectory.hpp"
#include "core/mri/check/check_finding.hpp"

namespace recon {

/// Does the object end at the border of the field of view, or go on beyond it? Samples between the whole cycles of the
/// field see that edge, and no image of these voxels can have it: it is wrong there, and no noise says so.
/// @param image  [x y z]
/// @param trajectory  in cycles per field of view
/// @param frame  " of frame 3"; empty for the only one
/// @return a finding "field_of_view" where the outermost voxels along an axis have half of the image's mean energy or
/// more, and samples along it lie off the whole cycles; else nothing
std::vector<CheckFinding> judge_border(std::span<const cfloat> image, const PerAxis<Index>& matrix_size,
                                       const Trajectory& trajectory, const std::string& frame = "");

}  // namespace recon
