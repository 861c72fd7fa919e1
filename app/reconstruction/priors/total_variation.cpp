#include <algorithm>

#include "app/reconstruction/priors/differences.hpp"
#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/penalties/joint_sparsity.hpp"

namespace recon {
namespace {

Prior make_total_variation(const PriorSite& site) {
    const auto differences = std::make_shared<const FiniteDifferences>(site.backend, site.image_shape,
                                                                       difference_factors(site), site.precision);
    const Index slices = std::max<Index>(1, std::ssize(differences->axes()));
    return {.transform = differences, .penalty = std::make_shared<const JointSparsity>(slices)};
}

PriorBytes total_variation_bytes(const PriorSizes& sizes) {
    const std::size_t images = sizes.frame_count * sizes.image_bytes;
    const std::size_t axes = std::max<std::size_t>(1, axes_with_neighbours(sizes.matrix_size).size());
    return {.held = 3 * (axes - 1) * images, .running = sizes.frame_count > 1 ? axes * images + images : images};
}

const Registration registered_total_variation(prior_kinds(), PriorKind{.name = "tv",
                                                                       .help = "total variation",
                                                                       .quadratic = false,
                                                                       .make = make_total_variation,
                                                                       .bytes = total_variation_bytes});

}  // namespace
}  // namespace recon
