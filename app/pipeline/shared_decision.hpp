#pragma once

#include "core/parallel/communicator.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

/// Makes all ranks stop where the observer of rank 0 does.
class SharedDecision final : public IterationObserver {
public:
    /// @param observer  asked on rank 0 alone
    SharedDecision(Communicator& ranks, IterationObserver& observer) : ranks_(ranks), observer_(observer) {}

    bool iteration_done(int iteration, double relative_residual, ConstArrayView x) override {
        const bool stop = ranks_.rank() == 0 && !observer_.iteration_done(iteration, relative_residual, x);
        return ranks_.sum(stop ? 1 : 0) == 0;
    }

private:
    Communicator& ranks_;
    IterationObserver& observer_;
};

}  // namespace recon
