#pragma once

#include <memory>
#include <vector>

#include "app/reconstruction/context/reconstruction_context.hpp"
#include "app/reconstruction/priors/prior_kind.hpp"
#include "core/operators/linear_operator.hpp"
#include "core/operators/support.hpp"

namespace recon {

/// One term lambda Q(0) |W rho|^2.
struct PriorTerm {
    double lambda;
    std::shared_ptr<const LinearOperator> w;
    LambdaOrigin origin = LambdaOrigin::given;
    std::shared_ptr<const ReferenceUse> reference_use = nullptr;  ///< null: no reference
};

struct PriorTerms {
    std::vector<PriorTerm> terms;            ///< the quadratic ones, in the order of the options
    std::shared_ptr<const Support> support;  ///< null: none

    /// Of the first term that has a reference; null: none has.
    const ReferenceUse* reference_use() const;
};

/// The quadratic terms of the options, for the place where a frame lies. Differences do not cross the border of a mask.
/// @throws InputError as place_on_grid
PriorTerms make_prior_terms(const ReconstructionContext& context, const Frame& frame);

}  // namespace recon
