#include "app/reconstruction/priors/differences.hpp"

namespace recon {
namespace {

Prior make_roughness(const PriorSite& site) { return {.transform = plain_differences(site)}; }

const Registration registered_roughness(prior_kinds(), PriorKind{.name = "roughness",
                                                                 .help = "differences of neighbours",
                                                                 .make = make_roughness});

}  // namespace
}  // namespace recon
