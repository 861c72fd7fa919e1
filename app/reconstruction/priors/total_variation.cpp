#include <algorithm>

#include "app/reconstruction/priors/differences.hpp"
#include "core/operators/penalties/joint_sparsity.hpp"

namespace recon {
namespace {

Prior make_total_variation(const PriorSite& site) {
    const auto differences = std::make_shared<const FiniteDifferences>(site.backend, site.image_shape,
                                                                       difference_factors(site), site.precision);
    const Index slices = std::max<Index>(1, std::ssize(differences->axes()));
    return {.transform = differences, .penalty = std::make_shared<const JointSparsity>(slices)};
}

const Registration registered_total_variation(prior_kinds(), PriorKind{.name = "tv",
                                                                       .help = "total variation",
                                                                       .quadratic = false,
                                                                       .make = make_total_variation});

}  // namespace
}  // namespace recon
