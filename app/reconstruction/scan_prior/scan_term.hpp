#pragma once

#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/prior_terms.hpp"
#include "core/mri/priors/local_variance.hpp"
#include "core/mri/priors/power_spectrum.hpp"
#include "core/mri/priors/scan_noise.hpp"
#include "core/operators/penalties/finite_differences.hpp"

namespace recon {

/// A quadratic term whose lambda is 1, with what a circulant preconditioner needs of it.
struct ScanTerm {
    PriorTerm term;
    std::vector<double> spectrum;  ///< eigenvalues of Q(0) W^H W where it is circulant, or nearly; of circulant_grid
    /// sigma of the data: a draw of the prior that the image then shrinks is W^H (sigma w), w white. Of each element
    /// of W's codomain; or, where this is empty, `deviation` of all.
    std::vector<double> deviations;
    double deviation = 0;
};

/// sum_k sigma^2(k) |DFT(rho)(k)|^2 / P(|k|)
/// @param k      k_of_grid
/// @param noise  of a sample of one coil, whose signal is signal_share P
ScanTerm spectrum_term(const FrameProblem& problem, const std::vector<double>& k, const PowerSpectrum& spectrum,
                       const ScanNoise& noise, double signal_share);

/// sigma^2 sum_r,axis |grad rho|^2 / v(r), pairs across the border of the support left out.
/// @param variance  v, [x y z axis]
ScanTerm local_term(const FrameProblem& problem, const Support* support, const LocalVariance& variance,
                    double noise_variance);

/// Eigenvalues of sigma^2 / v sum_axes |grad|^2 for one v everywhere, of circulant_grid.
std::vector<double> gradient_spectrum(const FrameProblem& problem, double noise_variance, double variance);

/// Differences along the axes as `local_term` weighs them: of gradients in space.
FiniteDifferences plain_gradient(const FrameProblem& problem);

}  // namespace recon
