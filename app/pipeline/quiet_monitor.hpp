#pragma once

#include "app/pipeline/run.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon {

/// Ends a solver when the run is to stop, and shows nothing.
class QuietMonitor final : public IterationObserver {
public:
    /// @param run  outlives the monitor
    explicit QuietMonitor(const Run& run) : run_(run) {}
    bool iteration_done(int, double, ConstArrayView) override { return !run_.stops_with_image(); }

private:
    const Run& run_;
};

}  // namespace recon
