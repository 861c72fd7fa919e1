#pragma once

#include <memory>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/regularisation/prior_terms.hpp"

namespace recon {

/// E^H E + sum_i lambda_i Q(0) W_i^H W_i, between projections onto the support where there is one, and its right side.
class RegularisedSystem {
public:
    /// @param problem, terms, support  outlive the system; `support` may be null
    RegularisedSystem(const FrameProblem& problem, const std::vector<PriorTerm>& terms, const Support* support);

    const LinearOperator& system() const { return *system_; }
    ConstArrayView right_side() const { return restricted_ ? restricted_->view() : problem_.fhd(); }

private:
    template <class Operator, class... Arguments>
    const LinearOperator& keep(Arguments&&... arguments) {
        parts_.push_back(std::make_unique<Operator>(std::forward<Arguments>(arguments)...));
        return *parts_.back();
    }

    const FrameProblem& problem_;
    std::vector<std::unique_ptr<LinearOperator>> parts_;
    const LinearOperator* system_;
    std::optional<Array> restricted_;  ///< P E^H d
};

}  // namespace recon
