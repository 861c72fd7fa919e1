#include "core/operators/penalties/local_low_rank.hpp"

#include "app/reconstruction/priors/prior_kind.hpp"
#include "core/operators/operator_algebra.hpp"

namespace recon {
namespace {

Prior make_local_low_rank(const PriorSite& site) {
    return {.transform = std::make_shared<const Identity>(site.backend, site.image_shape, site.precision),
            .penalty = std::make_shared<const LocalLowRank>(site.image_shape)};
}

const Registration registered_local_low_rank(prior_kinds(),
                                             PriorKind{.name = "llr",
                                                       .help = "locally low rank, for a series of frames",
                                                       .quadratic = false,
                                                       .couples_frames = true,
                                                       .make = make_local_low_rank});

}  // namespace
}  // namespace recon
