#include "app/reconstruction/check/positions/fitted_delays.hpp"

#include <algorithm>
#include <cmath>
#include <memory>
#include <utility>

#include "app/reconstruction/check/positions/sharp_fit.hpp"
#include "core/mri/gradients/delay_elements.hpp"

namespace recon {
namespace {

DelayElements elements_of(const PerAxis<Index>& matrix_size) {
    return DelayElements({matrix_size[0] > 1, matrix_size[1] > 1, matrix_size[2] > 1});
}

Scan moved(const Scan& probe, const std::vector<Trajectory>& changes, const std::vector<double>& values) {
    Scan result = probe;
    auto trajectory = std::make_shared<Trajectory>(*probe.frames.front().trajectory);
    for (std::size_t e = 0; e < values.size(); ++e) {
        for (int axis = 0; axis < 3; ++axis) {
            for (std::size_t m = 0; m < trajectory->k[axis].size(); ++m) {
                trajectory->k[axis][m] += values[e] * changes[e].k[axis][m];
            }
        }
    }
    result.frames.front().trajectory = std::move(trajectory);
    return result;
}

double longest(const Trajectory& steps) {
    double square = 0;
    for (std::size_t m = 0; m < steps.k[0].size(); ++m) {
        square = std::max(square, std::pow(steps.k[0][m], 2) + std::pow(steps.k[1][m], 2) + std::pow(steps.k[2][m], 2));
    }
    return std::sqrt(square);
}

/// Values of the elements, and what an image leaves of the data with them; less from step to step.
class Search {
public:
    Search(const Scan& probe, const Trajectory& steps, Backend& backend)
        : probe_(probe),
          backend_(backend),
          elements_(elements_of(probe.geometry.matrix_size)),
          changes_(elements_.changes(steps)),
          cycle_(1 / longest(steps)),
          values_(elements_.count(), 0.0),
          left_(left_by(values_)) {}

    double left() const { return left_; }
    GradientDelays delays() const { return elements_.delays(values_); }

    void try_these(const GradientDelays& delays) { take_if_better(elements_.values(delays)); }

    /// By Gauss and Newton. @return false where the data do not tell the values
    bool refine() {
        constexpr int most_rounds = 8;
        constexpr double at_rest = 0.005;  // samples
        for (int round = 0; round < most_rounds; ++round) {
            const Scan changed = moved(probe_, changes_, values_);
            const SharpFit fit(changed, backend_);
            const auto step = fit.is_empty() ? std::nullopt : fit.step(changes_);
            if (!step) {
                return false;
            }
            double part = 1, largest = 0;
            bool is_better = false;
            for (; part > 0.2 && !is_better; part /= 2) {
                std::vector<double> next = values_;
                largest = 0;
                for (std::size_t e = 0; e < next.size(); ++e) {
                    const double change = part * std::clamp(step->values[e], -cycle_ / 2, cycle_ / 2);
                    next[e] += change;
                    largest = std::max(largest, std::abs(change));
                }
                is_better = take_if_better(std::move(next));
            }
            if (largest < at_rest || !is_better) {
                break;
            }
        }
        return true;
    }

private:
    double left_by(const std::vector<double>& values) const {
        const Scan changed = moved(probe_, changes_, values);
        const SharpFit fit(changed, backend_);
        return fit.is_empty() ? 1 : fit.residual();
    }

    bool take_if_better(std::vector<double> others) {
        constexpr double most_cycles = 3;  // beyond which few samples are left in the band
        if (std::ranges::any_of(others, [&](double delay) { return std::abs(delay) > most_cycles * cycle_; })) {
            return false;
        }
        const double left = left_by(others);
        const bool is_better = left < left_;
        if (is_better) {
            left_ = left;
            values_ = std::move(others);
        }
        return is_better;
    }

    const Scan& probe_;
    Backend& backend_;
    DelayElements elements_;
    std::vector<Trajectory> changes_;
    double cycle_;  ///< samples that a readout takes for a cycle per FOV
    std::vector<double> values_;
    double left_;
};

}  // namespace

std::optional<DelayEstimate> fit_gradient_delays(const Scan& probe, const Trajectory& steps,
                                                 const GradientDelays& start, Backend& backend) {
    Search search(probe, steps, backend);
    DelayEstimate found;
    found.disagreement_before = search.left();
    search.try_these(start);
    if (!search.refine()) {
        return std::nullopt;
    }
    found.disagreement_after = search.left();
    found.delays = search.delays();
    return found;
}

}  // namespace recon
