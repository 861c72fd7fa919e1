#include <algorithm>

#include "app/reconstruction/priors/differences.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"

namespace recon {
namespace {

/// The end of the reference is no edge of the object.
void forget_border(std::span<const float> covered, PerAxis<Index> matrix_size, std::span<float> weights) {
    for_each_pair(matrix_size, [&](Index i, Index j, int slot) {
        if (covered[i] == 0 || covered[j] == 0) {
            weights[slot * covered.size() + i] = 1;
        }
    });
}

PlacedReference place_reference(const PriorSite& site) {
    const std::string name = "`prior_image` " + site.images.reference_path;
    PlacedImage placed = place_on_grid(*site.images.reference, site.grid, name);
    PlacedReference result;
    result.magnitudes = std::move(placed.magnitudes);
    result.factors = difference_factors(site);
    result.noise = placed_difference_noise(*site.images.reference, site.grid, name);
    const float largest = *std::max_element(result.magnitudes.begin(), result.magnitudes.end());
    if (!(largest > 0)) {
        throw InputError(name +
                         ": zero everywhere in the field of view of the scan; expected an image of the same object");
    }
    // A reference without noise, such as one of labels, has edges wherever it changes by a thousandth.
    constexpr double least_noise = 1e-3;
    result.edge_scale = site.edge_scale * std::max(result.noise, least_noise * largest);
    result.weights = edge_weights(result.magnitudes, site.matrix_size(), result.edge_scale);
    if (placed.covered_share < 1) {
        forget_border(placed.covered, site.matrix_size(), result.weights);
        log_warning("{}: reaches {:.0f} % of the voxels; beyond, the prior is that of roughness", name,
                    100 * placed.covered_share);
    }
    log_info("prior image: noise of its differences {:.4g}, scale of edges {:.4g} (maximum {:.4g})", result.noise,
             result.edge_scale, largest);
    return result;
}

/// Magnitudes of the reference, on its own voxels and on ours; weights, their copy for the file and on their way to the
/// backend; three images that are compared.
std::size_t host_bytes(const PriorSite& site) {
    const auto voxels = static_cast<std::size_t>(Shape::image(site.matrix_size()).element_count());
    const std::size_t axes = axes_with_neighbours(site.matrix_size()).size();
    return site.images.reference->voxels.size() * sizeof(float) +
           voxels * (4 * sizeof(float) + axes * (2 * sizeof(float) + sizeof(cfloat)) + 3 * sizeof(cfloat));
}

Prior make_anatomical(const PriorSite& site) {
    if (!site.images.reference) {
        throw UsageError("`prior` anatomical: `prior_image` FILE is required, an image of the same object");
    }
    auto use = std::make_shared<ReferenceUse>();
    use->on_host = site.backend.claim_on_host(host_bytes(site));
    use->reference =
        site.backend.computes() ? place_reference(site) : PlacedReference{{1}, {1}, difference_factors(site), 1, 1};
    use->without = plain_differences(site);
    return {.transform = weighted_differences(site, use->reference.weights), .reference_use = use};
}

const Registration registered_anatomical(prior_kinds(),
                                         PriorKind{.name = "anatomical",
                                                   .help = "roughness, less across the edges of the prior image",
                                                   .needs_reference = true,
                                                   .make = make_anatomical});

}  // namespace
}  // namespace recon
