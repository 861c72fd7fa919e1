#include "solver/stop_rule.hpp"

namespace recon {
namespace {

/// Iterations over which the energy must have come to rest: single ones stall now and then.
constexpr int energy_window = 4;

}  // namespace

std::optional<StopReason> StopRule::before_step() const {
    return iterations_ < limits_.iterations ? std::nullopt : std::optional(StopReason::iterations);
}

std::optional<StopReason> StopRule::after_step(const Step& step, ConstArrayView x) {
    ++iterations_;
    residuals_.push_back(step.residual);
    gains_.push_back(step.energy_gain);
    if (observer_ != nullptr && !observer_->iteration_done(iterations_, step.residual, x)) {
        return StopReason::cancelled;
    }
    if (step.residual <= limits_.residual) {
        return StopReason::residual;
    }
    return energy_rests() ? std::optional(StopReason::energy) : std::nullopt;
}

bool StopRule::energy_rests() const {
    if (!(limits_.energy > 0) || iterations_ < energy_window) {
        return false;
    }
    double gain = 0;
    for (int back = 1; back <= energy_window; ++back) {
        gain += gains_[gains_.size() - static_cast<std::size_t>(back)];
    }
    return gain < limits_.energy;
}

void StopRule::visit(Archive& archive) {
    archive.count("stop_rule/iterations", iterations_);
    archive.numbers("stop_rule/residuals", residuals_);
    archive.numbers("stop_rule/gains", gains_);
}

StopReason run(Solver& solver, StopRule& rule, ConstArrayView x) {
    while (true) {
        if (const auto reason = rule.before_step()) {
            return *reason;
        }
        const Step step = solver.step();
        if (step.stopped) {
            return *step.stopped;
        }
        if (const auto reason = rule.after_step(step, x)) {
            return *reason;
        }
    }
}

}  // namespace recon
