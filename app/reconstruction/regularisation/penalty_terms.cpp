#include "app/reconstruction/regularisation/penalty_terms.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/penalties/finite_differences.hpp"
#include "core/operators/penalties/joint_sparsity.hpp"
#include "core/operators/penalties/local_low_rank.hpp"
#include "core/operators/penalties/wavelet_sparsity.hpp"

namespace recon {
namespace {

/// Couplings to start with, in units of lambda Q(0): the first shrinkage is by half of the amplitude.
constexpr double start_coupling = 2;

}  // namespace

PenaltyTerms::PenaltyTerms(const ReconstructionContext& context, const Shape& image_shape, double q_centre,
                           double amplitude, const LinearOperator* support)
    : q_centre_(q_centre), amplitude_(amplitude) {
    Backend& backend = context.backend;
    const Precision precision = context.options.precision;
    const auto identity = [&] { return std::make_unique<Identity>(backend, image_shape, precision); };
    for (const PriorTermOptions& term : context.options.regularisation.terms) {
        if (term.kind == PriorKind::total_variation) {
            const Geometry& geometry = context.scan.geometry;
            auto differences = std::make_unique<FiniteDifferences>(
                backend, image_shape, gradient_factors(geometry.matrix_size, geometry.voxel_size_mm()), precision);
            auto sparsity = std::make_unique<JointSparsity>(std::max<Index>(1, std::ssize(differences->axes())));
            add(term, std::move(differences), std::move(sparsity), support);
        } else if (term.kind == PriorKind::wavelet) {
            add(term, identity(), std::make_unique<WaveletSparsity>(backend, image_shape, precision), support);
        } else if (term.kind == PriorKind::local_low_rank) {
            add(term, identity(), std::make_unique<LocalLowRank>(image_shape), support);
        }
    }
}

void PenaltyTerms::add(const PriorTermOptions& term, std::unique_ptr<LinearOperator> transform,
                       std::unique_ptr<Penalty> penalty, const LinearOperator* support) {
    transforms_.push_back(std::move(transform));
    if (support != nullptr) {
        transforms_.push_back(std::make_unique<Composition>(*transforms_.back(), *support));
    }
    penalties_.push_back(std::move(penalty));
    terms_.push_back(
        {*transforms_.back(), *penalties_.back(), weight(term.lambda), start_coupling * term.lambda * q_centre_});
}

double image_amplitude(const LinearOperator& normal, ConstArrayView fhd, ArrayView work) {
    Backend& backend = normal.backend();
    normal.forward(fhd, work);
    const double curvature = backend.dot(fhd, work).real();
    if (!(curvature > 0)) {
        return 0;
    }
    std::vector<float> magnitudes;
    for (const cfloat& value : download<float>(fhd)) {
        if (value != 0.0F) {  // maps may be zero outside the object
            magnitudes.push_back(std::abs(value));
        }
    }
    const auto high = magnitudes.begin() + static_cast<Index>(0.99 * static_cast<double>(magnitudes.size() - 1));
    std::nth_element(magnitudes.begin(), high, magnitudes.end());
    return *high * std::pow(norm(fhd), 2) / curvature;
}

}  // namespace recon
