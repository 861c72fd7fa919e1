#pragma once

#include <memory>

#include "app/reconstruction/scan_prior/terms/scan_term.hpp"
#include "app/reconstruction/scan_prior/terms/sharpened_gradient.hpp"
#include "core/mri/priors/local_variance.hpp"
#include "core/operators/support.hpp"

namespace recon {

struct LocalTerm {
    ScanTerm scan;
    std::shared_ptr<const FiniteDifferences> differences;  ///< V D, of the image that H has sharpened
};

/// sigma^2 sum_axis |G_axis rho|^2 / v_axis over the pairs of voxels inside the support, or all.
/// @param gradient  G = D H  @param variance  v, of its values [x y z axis]
/// @param noise_variance  sigma^2 of the data  @param sensitivity  as for levels_of
LocalTerm local_term(const FrameProblem& problem, const SharpenedGradient& gradient, const Support* support,
                     const LocalVariance& variance, double noise_variance, const Array* sensitivity);

}  // namespace recon
