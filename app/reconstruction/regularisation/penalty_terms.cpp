#include "app/reconstruction/regularisation/penalty_terms.hpp"

#include <cmath>

#include "core/base/quantile.hpp"
#include "core/operators/operator_algebra.hpp"

namespace recon {
namespace {

/// Couplings to start with, in units of lambda Q(0): the first shrinkage is by half of the amplitude.
constexpr double start_coupling = 2;

}  // namespace

PenaltyTerms::PenaltyTerms(const ReconstructionContext& context, const Shape& image_shape, double q_centre,
                           double amplitude, const LinearOperator* support)
    : q_centre_(q_centre), amplitude_(amplitude) {
    const RegularisationOptions& options = context.options.regularisation;
    const PriorSite site{context.backend, context.options.precision, image_shape, context.scan.geometry, {},
                         *options.images, options.edge_scale};
    for (const PriorTermOptions& term : options.terms) {
        if (!term.kind().quadratic) {
            add(term.kind().make(site), term.lambda, support);
        }
    }
}

void PenaltyTerms::add(const Prior& prior, double lambda, const LinearOperator* support) {
    transforms_.push_back(prior.transform);
    if (support != nullptr) {
        transforms_.push_back(std::make_shared<const Composition>(*prior.transform, *support));
    }
    penalties_.push_back(prior.penalty);
    terms_.push_back({*transforms_.back(), *prior.penalty, weight(lambda), start_coupling * lambda * q_centre_});
}

double image_amplitude(const LinearOperator& normal, ConstArrayView fhd, ArrayView work) {
    Backend& backend = normal.backend();
    normal.forward(fhd, work);
    const double curvature = backend.dot(fhd, work).real();
    if (!(curvature > 0)) {
        return 0;
    }
    const MemoryClaim on_host =
        backend.claim_on_host(static_cast<std::size_t>(fhd.size()) * (sizeof(cfloat) + sizeof(float)));
    std::vector<float> magnitudes;
    for (const cfloat& value : download<float>(fhd)) {
        if (value != 0.0F) {  // maps may be zero outside the object
            magnitudes.push_back(std::abs(value));
        }
    }
    return quantile(std::span(magnitudes), 0.99) * std::pow(norm(fhd), 2) / curvature;
}

}  // namespace recon
