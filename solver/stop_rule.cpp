#include "solver/stop_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/backend/backend.hpp"

namespace recon {
namespace {

/// Iterations whose gain counts as one, or half of those there are: single ones stall now and then.
constexpr std::size_t longest_window = 4;
/// A series that shrinks more slowly than this from window to window cannot be told from one that does not.
constexpr double slowest_decay = 0.98;

/// What is left of a sum, and its last window, by the geometric series through the last two windows.
double left_to_gain(const std::vector<double>& gains) {
    const std::size_t window = std::min(longest_window, gains.size() / 2);
    if (window < 2) {
        return std::numeric_limits<double>::infinity();
    }
    const auto gain_of = [&](std::size_t windows_back) {
        const auto end = gains.end() - static_cast<std::ptrdiff_t>(windows_back * window);
        return std::accumulate(end - static_cast<std::ptrdiff_t>(window), end, 0.0);
    };
    const double last = gain_of(0);
    const double before = gain_of(1);
    return last / (1 - (before > 0 ? std::clamp(last / before, 0.0, slowest_decay) : 0));
}

}  // namespace

std::optional<StopReason> StopRule::before_step() const {
    if (const auto reason = reason_of_last()) {
        return reason;
    }
    return iterations_ < limits_.iterations ? std::nullopt : std::optional(StopReason::iterations);
}

std::optional<StopReason> StopRule::after_step(const Step& step, ConstArrayView x) {
    ++iterations_;
    residuals_.push_back(step.residual);
    gains_.push_back(step.energy_gain);
    if (limits_.size > 0) {
        const double size = x.backend().dot(x, x).real();
        if (iterations_ > 1) {
            changes_.push_back(std::abs(size - size_));
        }
        size_ = size;
    }
    if (observer_ != nullptr && !observer_->iteration_done(iterations_, step.residual, x)) {
        return StopReason::cancelled;
    }
    return reason_of_last();
}

std::optional<StopReason> StopRule::reason_of_last() const {
    if (!residuals_.empty() && residuals_.back() <= limits_.residual) {
        return StopReason::residual;
    }
    return energy_rests() && size_rests() ? std::optional(StopReason::energy) : std::nullopt;
}

bool StopRule::energy_rests() const { return left_to_gain(gains_) < limits_.energy; }

bool StopRule::size_rests() const { return !(limits_.size > 0) || left_to_gain(changes_) < limits_.size * size_; }

void StopRule::visit(Archive& archive) {
    archive.count("stop_rule/iterations", iterations_);
    archive.numbers("stop_rule/residuals", residuals_);
    archive.numbers("stop_rule/gains", gains_);
    archive.number("stop_rule/size", size_);
    archive.numbers("stop_rule/changes", changes_);
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
