#pragma once

#include "app/frame_problem.hpp"
#include "app/prior_terms.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

/// The image of a frame: argmin |E rho - d|^2 + sum_i lambda_i Q(0) |W_i rho|^2, zero outside the
/// support where there is one.
/// @param image  [x y z], overwritten; the same on all ranks
CgReport solve_image(const FrameProblem& problem, const PriorTerms& priors, ArrayView image);

}  // namespace recon
