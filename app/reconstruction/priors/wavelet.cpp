#include "app/reconstruction/priors/prior_kind.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/penalties/wavelet_sparsity.hpp"

namespace recon {
namespace {

Prior make_wavelet(const PriorSite& site) {
    return {.transform = std::make_shared<const Identity>(site.backend, site.image_shape, site.precision),
            .penalty = std::make_shared<const WaveletSparsity>(site.backend, site.image_shape, site.precision)};
}

const Registration registered_wavelet(prior_kinds(), PriorKind{.name = "wavelet",
                                                               .help = "l1 norm of wavelet coefficients",
                                                               .quadratic = false,
                                                               .make = make_wavelet});

}  // namespace
}  // namespace recon
