#pragma once

#include <functional>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "core/mri/priors/kspace_shells.hpp"
#include "core/operators/even_grid.hpp"

namespace recon {

/// circulant_grid, where lists of spectra that are even are told by an octant; one point where nothing is computed.
EvenGrid even_grid(const FrameProblem& problem);

/// sum over the axes of term(axis, frequency in cycles per voxel), at the points of the octant of even_grid, in their
/// order.
std::vector<double> sum_over_axes(const FrameProblem& problem,
                                  const std::function<double(int axis, double frequency)>& term);

/// |k| in cycles per mm there, or |A k| where the shells are stretched.
std::vector<double> k_of_grid(const FrameProblem& problem, const KspaceShells& shells);

}  // namespace recon
