#pragma once

#include <functional>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "core/mri/priors/kspace_shells.hpp"

namespace recon {

/// sum over the axes of term(axis, frequency in cycles per voxel), at the points of circulant_grid, in their order.
std::vector<double> sum_over_axes(const FrameProblem& problem,
                                  const std::function<double(int axis, double frequency)>& term);

/// |k| in cycles per mm at the points of circulant_grid.
std::vector<double> k_of_grid(const FrameProblem& problem, const KspaceShells& shells);

}  // namespace recon
