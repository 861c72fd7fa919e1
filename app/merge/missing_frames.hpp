#pragma once

#include <string>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// "repetition 3, slice 1": parts of the label that are not 0; "frame 0" where all are.
std::string frame_text(const FrameLabel& label);

/// Refuses a series that lacks frames: along each part of the labels all numbers between the least and the greatest
/// occur, in every combination.
/// @param labels  each once, ascending  @throws InputError that names those that are missing
void require_no_gaps(const std::vector<FrameLabel>& labels);

}  // namespace recon
