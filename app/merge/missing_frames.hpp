#pragma once

#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// Refuses a series that lacks frames: along each part of the labels all numbers between the least and the greatest
/// occur, in every combination.
/// @param labels  each once, ascending  @throws InputError that names those that are missing
void require_no_gaps(const std::vector<FrameLabel>& labels);

}  // namespace recon
