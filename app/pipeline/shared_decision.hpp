#pragma once

#include "app/pipeline/run.hpp"
#include "solver/stop_rule.hpp"

namespace recon {

/// Makes all ranks stop where the observer of rank 0 does, and keeps the solution where the run does.
class SharedDecision final : public IterationObserver {
public:
    /// @param observer  asked on rank 0 alone
    SharedDecision(Run& run, IterationObserver& observer) : run_(run), observer_(observer) {}

    bool iteration_done(int iteration, double relative_residual, ConstArrayView x) override {
        share_request();
        const bool stop = run_.is_root() && !observer_.iteration_done(iteration, relative_residual, x);
        if (run_.keeper() != nullptr) {
            run_.keeper()->step_done();
        }
        return run_.ranks().sum(stop ? 1 : 0) == 0;
    }
    SolutionKeeper* keeper() override { return run_.keeper(); }

private:
    /// A signal may reach one process alone, and a checkpoint is rank 0's to write.
    void share_request() {
        if (!run_.ranks().in_one_process() && run_.ranks().sum(run_.control().cancel.requested() ? 1 : 0) > 0) {
            run_.control().cancel.request();
        }
    }

    Run& run_;
    IterationObserver& observer_;
};

}  // namespace recon
