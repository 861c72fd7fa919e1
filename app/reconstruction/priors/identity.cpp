#include "app/reconstruction/priors/prior_kind.hpp"
#include "core/operators/operator_algebra.hpp"

namespace recon {
namespace {

Prior make_identity(const PriorSite& site) {
    return {.transform = std::make_shared<const Identity>(site.backend, site.image_shape, site.precision)};
}

const Registration registered_identity(prior_kinds(),
                                       PriorKind{.name = "identity", .help = "Tikhonov", .make = make_identity});

}  // namespace
}  // namespace recon
