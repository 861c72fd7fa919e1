#pragma once

#include <string>

#include "app/pipeline/run.hpp"
#include "core/base/log_binding.hpp"
#include "core/base/stopwatch.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

/// Shows the iterations as the run's control says and keeps them all in the history of the log, those of candidates for
/// lambda excepted; and ends the solver when the run is to stop.
class IterationMonitor final : public IterationObserver {
public:
    /// @param solver  its name for the log
    IterationMonitor(const Run& run, int iteration_limit, std::string solver = "cg");
    ~IterationMonitor() override;
    IterationMonitor(const IterationMonitor&) = delete;
    IterationMonitor& operator=(const IterationMonitor&) = delete;

    bool iteration_done(int iteration, double relative_residual, ConstArrayView x) override;

private:
    const Run& run_;
    int limit_;
    Progress progress_;
    Log* log_;
    std::string solver_;
    Stopwatch watch_;
};

}  // namespace recon
