#pragma once

#include <optional>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "core/operators/support.hpp"

namespace recon {

/// How well the coils together see each voxel, sum_c |S_c|^2 over its mean, where that differs so much that one
/// circulant does not do for all voxels: with maps of sensitivities as they are, which fall off by orders of magnitude
/// from the coils on. No less than a hundredth of the mean, and 0 outside. [x y z]; nothing where maps are even.
/// @param map_energy  coil_energy, used up  @param support  what is solved for; null: all voxels
/// @param solved_count  voxels in it
std::optional<Array> uneven_sensitivity(const FrameProblem& problem, Array map_energy, const Support* support,
                                        double solved_count);

}  // namespace recon
