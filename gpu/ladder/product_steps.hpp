#pragma once

#include "core/backend/plans.hpp"
#include "gpu/ladder/ladder_step.hpp"

namespace recon::ladder {

/// A problem in the terms of the product, for steps that call its plans.
Trajectory trajectory_of(const Problem& problem);
Positions positions_of(const Problem& problem);
/// A scan of one coil in the terms of the ladder, phi = 1. @param kspace  [sample]
Problem problem_of(const Trajectory& trajectory, const std::vector<cfloat>& kspace, const VoxelGrid& grid);
/// What a sum weighs its exponentials with, [sample].
std::vector<cfloat> sample_values(const Problem& problem, Sum sum);
Array samples_on(Backend& backend, const Problem& problem, Sum sum, Precision precision);

}  // namespace recon::ladder
