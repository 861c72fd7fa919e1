#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "app/reconstruction/problem/reconstruction_context.hpp"
#include "core/operators/linear_operator.hpp"
#include "core/operators/penalties/finite_differences.hpp"
#include "core/operators/support.hpp"

namespace recon {

/// One term lambda Q(0) |W rho|^2.
struct PriorTerm {
    PriorKind kind;
    double lambda;
    std::shared_ptr<const LinearOperator> w;
    LambdaOrigin origin = LambdaOrigin::given;
};

/// The reference of the anatomical prior as the terms use it, in host memory.
struct PlacedReference {
    std::vector<float> magnitudes;  ///< [x y z], on the reconstruction's grid
    std::vector<float> weights;     ///< [x y z axis], of the pairs of neighbours
    PerAxis<double> factors;        ///< of differences along x, y, z
    double noise = 0;               ///< standard deviation of its differences
    double edge_scale = 0;          ///< s
};

struct PriorTerms {
    std::vector<PriorTerm> terms;            ///< the quadratic ones, in the order of the options
    std::shared_ptr<const Support> support;  ///< null: none
    std::shared_ptr<const FiniteDifferences>
        roughness;  ///< of what the anatomical term would be without its reference; null: no such term
    std::optional<PlacedReference> reference;  ///< of the anatomical term
};

/// The quadratic terms of the options, for the place where a frame lies. Differences do not cross the border of a mask.
/// @throws InputError as place_on_grid
PriorTerms make_prior_terms(const ReconstructionContext& context, const Frame& frame);

}  // namespace recon
