#include "app/reconstruction/check/positions/fitted_delays.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <memory>
#include <utility>

#include "app/reconstruction/check/positions/sharp_fit.hpp"

namespace recon {
namespace {

/// Elements of the matrix: those of one axis, and those between two.
class Elements {
public:
    explicit Elements(const PerAxis<Index>& matrix_size) {
        for (int row = 0; row < 3; ++row) {
            for (int column = row; column < 3; ++column) {
                if (matrix_size[row] > 1 && matrix_size[column] > 1) {
                    all_.emplace_back(row, column);
                }
            }
        }
    }
    std::size_t count() const { return all_.size(); }
    bool is_of_one_axis(std::size_t e) const { return all_[e].first == all_[e].second; }

    GradientDelays delays(const std::vector<double>& values) const {
        GradientDelays delays;
        for (std::size_t e = 0; e < all_.size(); ++e) {
            const auto [row, column] = all_[e];
            (row == column ? delays.samples[row] : delays.cross[row + column - 1]) = values[e];
        }
        return delays;
    }

    /// How positions move with each element.
    std::vector<Trajectory> changes(const Trajectory& steps) const {
        std::vector<Trajectory> changes;
        for (const auto& [row, column] : all_) {
            Trajectory change;
            for (std::vector<double>& k : change.k) {
                k.assign(steps.k[0].size(), 0.0);
            }
            for (std::size_t m = 0; m < steps.k[0].size(); ++m) {
                change.k[row][m] -= steps.k[column][m];
                change.k[column][m] -= row == column ? 0 : steps.k[row][m];
            }
            changes.push_back(std::move(change));
        }
        return changes;
    }

private:
    std::vector<std::pair<int, int>> all_;
};

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

}  // namespace

std::optional<DelayEstimate> fit_gradient_delays(const Scan& probe, const Trajectory& steps, Backend& backend) {
    const Elements elements(probe.geometry.matrix_size);
    const std::vector<Trajectory> changes = elements.changes(steps);
    const auto residual_at = [&](const std::vector<double>& values) {
        const Scan changed = moved(probe, changes, values);
        const SharpFit fit(changed, backend);
        return fit.is_empty() ? 1 : fit.residual();
    };
    std::vector<double> values(elements.count(), 0.0);
    DelayEstimate found;
    found.disagreement_before = found.disagreement_after = residual_at(values);
    const double cycle = 1 / longest(steps);  // in samples
    if (!(std::isfinite(cycle))) {
        return std::nullopt;
    }
    for (const double delay : {-2.0, -1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0}) {  // cycles per FOV
        std::vector<double> the_same(elements.count(), 0.0);
        for (std::size_t e = 0; e < the_same.size(); ++e) {
            the_same[e] = elements.is_of_one_axis(e) ? delay * cycle : 0;
        }
        if (const double left = residual_at(the_same); left < found.disagreement_after) {
            found.disagreement_after = left;
            values = the_same;
        }
    }
    constexpr int most_rounds = 6;
    const double largest_step = 0.5 * cycle, at_rest = 0.005;  // samples
    for (int round = 0; round < most_rounds; ++round) {
        const Scan changed = moved(probe, changes, values);
        const SharpFit fit(changed, backend);
        const auto step = fit.is_empty() ? std::nullopt : fit.step(changes);
        if (!step) {
            return std::nullopt;
        }
        std::vector<double> next = values;
        double largest = 0;
        for (std::size_t e = 0; e < next.size(); ++e) {
            const double change = std::clamp(step->values[e], -largest_step, largest_step);
            next[e] += change;
            largest = std::max(largest, std::abs(change));
        }
        const double left = residual_at(next);
        if (!(left < found.disagreement_after)) {
            break;
        }
        found.disagreement_after = left;
        values = std::move(next);
        if (largest < at_rest) {
            break;
        }
    }
    found.delays = elements.delays(values);
    return found;
}

}  // namespace recon
