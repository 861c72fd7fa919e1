#include "app/reconstruction/regularisation/prior_terms.hpp"

#include <algorithm>

#include "core/backend/transfer_by_pieces.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"

namespace recon {
namespace {

/// 1 where the mask says that the object may be, for most of the voxel, and 0 elsewhere. [x y z]
std::vector<float> place_mask(const Backend& backend, const PriorImages& images, const Geometry& grid) {
    if (!backend.computes()) {
        return {1};
    }
    const std::string name = "`mask` " + images.mask_path;
    Image mask = *images.mask;
    std::transform(mask.voxels.begin(), mask.voxels.end(), mask.voxels.begin(),
                   [](cfloat value) { return cfloat(value.real() > 0 || value.imag() != 0 ? 1 : 0); });
    std::vector<float> inside = place_on_grid(mask, grid, name).magnitudes;
    Index count = 0;
    for (float& value : inside) {
        value = value >= 0.5F ? 1 : 0;
        count += value > 0 ? 1 : 0;
    }
    if (count == 0) {
        throw InputError(name + ": nothing of the mask lies in the field of view; expected voxels above 0 there");
    }
    log_info("mask: {:.1f} % of the voxels; the image is zero elsewhere",
             100.0 * static_cast<double>(count) / static_cast<double>(inside.size()));
    return inside;
}

}  // namespace

const ReferenceUse* PriorTerms::reference_use() const {
    const auto found =
        std::find_if(terms.begin(), terms.end(), [](const PriorTerm& term) { return term.reference_use != nullptr; });
    return found == terms.end() ? nullptr : found->reference_use.get();
}

PriorTerms make_prior_terms(const ReconstructionContext& context, const Frame& frame) {
    const RegularisationOptions& options = context.options.regularisation;
    Geometry grid = context.scan.geometry;
    if (frame.orientation) {
        grid.orientation = frame.orientation;
    }
    PriorTerms result;
    MemoryClaim on_host;
    std::vector<float> inside;
    if (options.images->mask) {
        on_host = context.backend.claim_on_host(2 * sizeof(float) *
                                                static_cast<std::size_t>(context.image_shape().element_count()));
        inside = place_mask(context.backend, *options.images, grid);
        Array mask(context.backend, context.image_shape(), context.options.precision);
        upload_by_pieces(mask, [&](std::size_t n) { return inside[n]; });
        result.support = std::make_shared<const Support>(std::move(mask));
    }
    const PriorSite site{context.backend, context.options.precision, context.image_shape(), grid,
                         inside,          *options.images,           options.edge_scale};
    for (const PriorTermOptions& term : options.terms) {
        if (term.kind().quadratic) {
            Prior prior = term.kind().make(site);
            result.terms.push_back({term.lambda, std::move(prior.transform), term.origin, prior.reference_use});
        }
    }
    return result;
}

}  // namespace recon
