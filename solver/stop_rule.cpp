#include "solver/stop_rule.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "core/backend/backend.hpp"

namespace recon {
namespace {

/// Iterations whose gain counts as one: single ones stall now and then.
constexpr std::ptrdiff_t window = 2;
/// By which a series shrinks from window to window, whatever it seems to: one that shrinks faster has often only
/// stalled, and one that shrinks more slowly cannot be told from one that does not.
constexpr double fastest_decay = 0.3;
constexpr double slowest_decay = 0.98;
constexpr double about = 5;  ///< times what the limits allow of |x|^2

/// What is left of a sum, by the geometric series through its last two windows.
double left_to_gain(const std::vector<double>& gains) {
    if (std::ssize(gains) < 2 * window) {
        return std::numeric_limits<double>::infinity();
    }
    const double last = std::accumulate(gains.end() - window, gains.end(), 0.0);
    const double before = std::accumulate(gains.end() - 2 * window, gains.end() - window, 0.0);
    const double decay = before > 0 ? std::clamp(last / before, fastest_decay, slowest_decay) : fastest_decay;
    return last * decay / (1 - decay);
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
        if (size_at_rest_ == 0 && size_rests(about * limits_.size)) {
            size_at_rest_ = size;
        }
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
    return energy_rests() && size_rests(limits_.size) ? std::optional(StopReason::energy) : std::nullopt;
}

bool StopRule::energy_rests() const { return left_to_gain(gains_) < limits_.energy; }

bool StopRule::size_rests(double part) const { return !(part > 0) || left_to_gain(changes_) < part * size_; }

void StopRule::visit(Archive& archive) {
    archive.count("stop_rule/iterations", iterations_);
    archive.numbers("stop_rule/residuals", residuals_);
    archive.numbers("stop_rule/gains", gains_);
    archive.number("stop_rule/size", size_);
    archive.numbers("stop_rule/changes", changes_);
    archive.number("stop_rule/size_at_rest", size_at_rest_);
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
