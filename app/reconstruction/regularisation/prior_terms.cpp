#include "app/reconstruction/regularisation/prior_terms.hpp"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/penalties/finite_differences.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"

namespace recon {
namespace {

Array upload_real(Backend& backend, std::span<const float> values, const Shape& shape, Precision precision) {
    const std::vector<cfloat> complex(values.begin(), values.end());
    Array array(backend, shape, precision);
    upload(std::span<const cfloat>(complex), array);
    return array;
}

/// 0 for pairs with a voxel where `inside` is 0.
void cut_pairs(std::span<const float> inside, PerAxis<Index> matrix_size, std::span<float> weights) {
    for_each_pair(matrix_size, [&](Index i, Index j, int slot) {
        if (inside[i] == 0 || inside[j] == 0) {
            weights[slot * inside.size() + i] = 0;
        }
    });
}

class TermMaker {
public:
    TermMaker(const ReconstructionContext& context, const Frame& frame)
        : context_(context), options_(context.options.regularisation), grid_(context.scan.geometry) {
        if (frame.orientation) {
            grid_.orientation = frame.orientation;
        }
    }

    PriorTerms make() {
        PriorTerms result;
        result.support = make_support();
        for (const PriorTermOptions& term : options_.terms) {
            if (term.kind == PriorKind::identity) {
                add(result, term,
                    std::make_shared<const Identity>(context_.backend, context_.image_shape(),
                                                     context_.options.precision));
            } else if (term.kind == PriorKind::roughness) {
                add(result, term, make_roughness());
            } else if (term.kind == PriorKind::anatomical) {
                result.reference = make_reference();
                result.roughness = make_roughness();
                add(result, term, make_differences(result.reference->weights));
            }
        }
        return result;
    }

private:
    static void add(PriorTerms& result, const PriorTermOptions& term, std::shared_ptr<const LinearOperator> w) {
        result.terms.push_back({term.kind, term.lambda, std::move(w), term.origin});
    }

    PerAxis<Index> matrix_size() const { return grid_.matrix_size; }
    PerAxis<double> factors() const { return gradient_factors(matrix_size(), grid_.voxel_size_mm()); }
    Shape differences_shape() const {
        const auto axes = static_cast<Index>(axes_with_neighbours(matrix_size()).size());
        return context_.image_shape().with_axis("axis", std::max<Index>(axes, 1));
    }

    std::shared_ptr<const Support> make_support() {
        if (!options_.images->mask) {
            return nullptr;
        }
        const std::string name = "--mask " + options_.images->mask_path;
        Image mask = *options_.images->mask;
        std::transform(mask.voxels.begin(), mask.voxels.end(), mask.voxels.begin(),
                       [](cfloat value) { return cfloat(std::abs(value) > 0 ? 1 : 0); });
        mask_ = place_on_grid(mask, grid_, name).magnitudes;
        Index inside = 0;
        for (float& value : mask_) {
            value = value >= 0.5F ? 1 : 0;  // most of the voxel
            inside += value > 0 ? 1 : 0;
        }
        if (inside == 0) {
            throw InputError(name + ": nothing of the mask lies in the field of view; expected voxels above 0 there");
        }
        log_info("mask: {:.1f} % of the voxels; the image is zero elsewhere",
                 100.0 * static_cast<double>(inside) / static_cast<double>(mask_.size()));
        return std::make_shared<const Support>(
            upload_real(context_.backend, mask_, context_.image_shape(), context_.options.precision));
    }

    /// Plain differences, without those across the border of a mask.
    std::shared_ptr<const FiniteDifferences> make_roughness() const {
        if (mask_.empty()) {
            return std::make_shared<const FiniteDifferences>(context_.backend, context_.image_shape(), factors(),
                                                             context_.options.precision);
        }
        return make_differences(std::vector<float>(differences_shape().element_count(), 1));
    }

    std::shared_ptr<const FiniteDifferences> make_differences(std::vector<float> weights) const {
        if (!mask_.empty()) {
            cut_pairs(mask_, matrix_size(), weights);
        }
        return std::make_shared<const FiniteDifferences>(
            context_.backend, context_.image_shape(), factors(),
            upload_real(context_.backend, weights, differences_shape(), context_.options.precision));
    }

    PlacedReference make_reference() const {
        const std::string name = "--prior-image " + options_.images->reference_path;
        if (!options_.images->reference) {
            throw UsageError("--prior anatomical: --prior-image FILE is required, an image of the same object");
        }
        PlacedImage placed = place_on_grid(*options_.images->reference, grid_, name);
        PlacedReference result;
        result.magnitudes = std::move(placed.magnitudes);
        result.factors = factors();
        result.noise = placed_difference_noise(*options_.images->reference, grid_, name);
        const float largest = *std::max_element(result.magnitudes.begin(), result.magnitudes.end());
        if (!(largest > 0)) {
            throw InputError(
                name + ": zero everywhere in the field of view of the scan; expected an image of the same object");
        }
        // A reference without noise, such as one of labels, has edges wherever it changes by a thousandth.
        constexpr double least_noise = 1e-3;
        result.edge_scale = options_.edge_scale * std::max(result.noise, least_noise * largest);
        result.weights = edge_weights(result.magnitudes, matrix_size(), result.edge_scale);
        if (placed.covered_share < 1) {
            forget_border(placed.covered, result.weights);
            log_warning("{}: reaches {:.0f} % of the voxels; beyond, the prior is that of roughness", name,
                        100 * placed.covered_share);
        }
        log_info("prior image: noise of its differences {:.4g}, scale of edges {:.4g} (maximum {:.4g})", result.noise,
                 result.edge_scale, largest);
        return result;
    }

    /// The end of the reference is no edge of the object.
    void forget_border(std::span<const float> covered, std::span<float> weights) const {
        for_each_pair(matrix_size(), [&](Index i, Index j, int slot) {
            if (covered[i] == 0 || covered[j] == 0) {
                weights[slot * covered.size() + i] = 1;
            }
        });
    }

    const ReconstructionContext& context_;
    const RegularisationOptions& options_;
    Geometry grid_;
    std::vector<float> mask_;  ///< [x y z] of 0 and 1; empty: none
};

}  // namespace

PriorTerms make_prior_terms(const ReconstructionContext& context, const Frame& frame) {
    return TermMaker(context, frame).make();
}

}  // namespace recon
