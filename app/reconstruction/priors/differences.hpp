#pragma once

#include <memory>
#include <vector>

#include "app/reconstruction/priors/prior_kind.hpp"
#include "core/operators/penalties/finite_differences.hpp"

namespace recon {

/// What differences along each axis of the site's grid are multiplied by, to stand for gradients in space.
PerAxis<double> difference_factors(const PriorSite& site);

/// Differences of neighbours, all pairs alike, without those across the border of a mask.
std::shared_ptr<const FiniteDifferences> plain_differences(const PriorSite& site);

/// The same with a weight for each pair. @param weights  [x y z axis], as edge_weights gives them
std::shared_ptr<const FiniteDifferences> weighted_differences(const PriorSite& site, std::vector<float> weights);

}  // namespace recon
