#include "core/operators/penalties/local_low_rank.hpp"

#include "app/reconstruction/priors/prior_kind.hpp"
#include "core/operators/operator_algebra.hpp"

namespace recon {
namespace {

Prior make_local_low_rank(const PriorSite& site) {
    return {.transform = std::make_shared<const Identity>(site.backend, site.image_shape, site.precision),
            .penalty = std::make_shared<const LocalLowRank>(site.image_shape)};
}

PriorBytes local_low_rank_bytes(const PriorSizes& sizes) {
    // a GPU's matrices for the blocks that are worked on, where frames are many: cuda_local_low_rank.cu
    const std::size_t frames = sizes.frame_count;
    return {.running = frames > 35 ? 512 * (2 * frames + 3) * frames * sizeof(cdouble) : 0};
}

const Registration registered_local_low_rank(prior_kinds(),
                                             PriorKind{.name = "llr",
                                                       .help = "locally low rank, for a series of frames",
                                                       .quadratic = false,
                                                       .couples_frames = true,
                                                       .make = make_local_low_rank,
                                                       .bytes = local_low_rank_bytes});

}  // namespace
}  // namespace recon
