#include "app/reconstruction/priors/differences.hpp"

namespace recon {
namespace {

Prior make_roughness(const PriorSite& site) { return {.transform = plain_differences(site)}; }

PriorBytes roughness_bytes(const PriorSizes& sizes) {
    return {.held = sizes.is_masked ? difference_weight_bytes(sizes) : 0};
}

const Registration registered_roughness(prior_kinds(), PriorKind{.name = "roughness",
                                                                 .help = "differences of neighbours",
                                                                 .make = make_roughness,
                                                                 .bytes = roughness_bytes});

}  // namespace
}  // namespace recon
