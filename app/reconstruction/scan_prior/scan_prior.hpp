#pragma once

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/prior_terms.hpp"
#include "app/reconstruction/scan_prior/scan_prior_report.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

/// Reads the prior off the scan, and solves with it:
///
/// 1. the power spectrum P of the image, from the shells of k-space, for a noise sigma;
/// 2. sigma, and errors of the model that follow the signal, from what the image leaves over: |d - E rho|^2 =
///    (M - degrees of freedom) sigma^2, shell by shell, in turns with 1;
/// 3. with `ScanPrior::scan`, a pass in which gradients have the variance that the image of 2 shows where they are;
///    more of them from each one's image where the data leave much open, as long as the noise stays what it was in 2.
///
/// @param priors  other quadratic terms, part of every problem here; gets one term more, that of the scan
/// @param image   [x y z], overwritten; the same on all ranks
/// @param cg      report of the last solution for the image
ScanPriorReport solve_with_scan_prior(const FrameProblem& problem, PriorTerms& priors, ArrayView image, CgReport& cg);

/// That of a sample of one coil: given, else of the noise acquisitions, else found with the spectrum as in 2, errors of
/// the model counted among it; for a few numbers of the edges of k-space.
NoiseLevel noise_of_scan(const FrameProblem& problem);

}  // namespace recon
