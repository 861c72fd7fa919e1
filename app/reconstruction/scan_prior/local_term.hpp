#pragma once

#include "app/reconstruction/scan_prior/scan_term.hpp"
#include "core/mri/priors/local_variance.hpp"
#include "core/operators/penalties/finite_differences.hpp"

namespace recon {

/// sigma^2 sum_r,axis |grad rho|^2 / v(r), pairs across the border of the support left out.
/// @param variance  v, [x y z axis]
ScanTerm local_term(const FrameProblem& problem, const Support* support, const LocalVariance& variance,
                    double noise_variance);

/// Eigenvalues of sum_axes |grad|^2, of circulant_grid.
std::vector<double> gradient_spectrum(const FrameProblem& problem);

/// Differences along the axes as `local_term` weighs them: of gradients in space.
FiniteDifferences plain_gradient(const FrameProblem& problem);

}  // namespace recon
