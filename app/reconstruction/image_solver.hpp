#pragma once

#include <optional>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/lambda_choice.hpp"
#include "app/reconstruction/regularisation/prior_terms.hpp"
#include "app/reconstruction/scan_prior/scan_prior.hpp"
#include "solver/admm.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

struct ImageReport {
    CgReport cg;                          ///< of conjugate gradients, or what the other solver has in common with it
    std::optional<AdmmReport> admm;       ///< with terms that are no squares
    std::optional<ChosenLambda> lambda;   ///< where one was to be chosen
    std::optional<ScanPriorReport> scan;  ///< with a prior of the scan
};

/// The image of a frame: argmin |E rho - d|^2 + sum_i lambda_i Q(0) |W_i rho|^2, zero outside the
/// support where there is one; with terms that are no squares, that of SparseSolver.
/// @param priors  get the lambda that is chosen
/// @param image  [x y z], overwritten; the same on all ranks
ImageReport solve_image(const FrameProblem& problem, PriorTerms& priors, ArrayView image);

}  // namespace recon
