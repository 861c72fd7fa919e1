#pragma once

#include <chrono>

#include "solver/conjugate_gradient.hpp"

namespace recon {

/// Shows the iterations: one live line with residual and time left on a terminal, plain log lines otherwise; and stops
/// the solver after Ctrl-C.
class IterationMonitor final : public IterationObserver {
public:
    enum class Style { live_line, log_lines, silent };

    /// @param solver  its name for the log
    IterationMonitor(int iteration_limit, Style style, std::string solver = "cg")
        : limit_(iteration_limit), style_(style), solver_(std::move(solver)) {}
    ~IterationMonitor() override;
    IterationMonitor(const IterationMonitor&) = delete;
    IterationMonitor& operator=(const IterationMonitor&) = delete;

    bool iteration_done(int iteration, double relative_residual, ConstArrayView x) override;

    /// live_line where stderr is a terminal, else log_lines
    static Style default_style();

private:
    int limit_;
    Style style_;
    std::string solver_;
    std::chrono::steady_clock::time_point start_ = std::chrono::steady_clock::now();
};

}  // namespace recon
