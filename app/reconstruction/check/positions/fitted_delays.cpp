#include "app/reconstruction/check/positions/fitted_delays.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
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

/// Values of the elements, and what an image leaves of the data with them.
class Search {
public:
    Search(const Scan& probe, const Trajectory& steps, Backend& backend)
        : probe_(probe),
          backend_(backend),
          elements_(elements_of(probe.geometry.matrix_size)),
          changes_(elements_.changes(steps)),
          cycle_(1 / longest(steps)),
          values_(elements_.count(), 0.0) {}

    double left() const { return left_by(values_); }
    GradientDelays delays() const { return elements_.delays(values_); }

    void try_these(const GradientDelays& delays) {
        if (std::vector<double> values = elements_.values(delays); left_by(values) < left()) {
            values_ = std::move(values);
        }
    }

    /// @return false where the data do not tell the values
    bool refine() {
        constexpr double at_rest = 0.005;  // samples
        const auto step_from = [this](const std::vector<double>& values) -> std::optional<GaussNewtonStep> {
            const Scan changed = moved(probe_, changes_, values);
            const SharpFit fit(changed, backend_);
            return fit.is_empty() ? std::nullopt : fit.step(changes_);
        };
        return descend({[this](const std::vector<double>& values) { return left_by(values); }, step_from, cycle_ / 2,
                        at_rest},
                       values_)
            .has_value();
    }

private:
    double left_by(const std::vector<double>& values) const {
        constexpr double most_cycles = 3;  // beyond which few samples are left in the band
        if (std::ranges::any_of(values, [&](double delay) { return std::abs(delay) > most_cycles * cycle_; })) {
            return std::numeric_limits<double>::infinity();
        }
        const Scan changed = moved(probe_, changes_, values);
        const SharpFit fit(changed, backend_);
        return fit.is_empty() ? 1 : fit.residual();
    }

    const Scan& probe_;
    Backend& backend_;
    DelayElements elements_;
    std::vector<Trajectory> changes_;
    double cycle_;  ///< samples that a readout takes for a cycle per FOV
    std::vector<double> values_;
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
