#include "core/mri/gradients/delay_elements.hpp"

namespace recon {

DelayElements::DelayElements(const PerAxis<bool>& axes) {
    for (std::size_t row = 0; row < 3; ++row) {
        for (std::size_t column = row; column < 3; ++column) {
            if (axes[row] && axes[column]) {
                all_.emplace_back(row, column);
            }
        }
    }
}

GradientDelays DelayElements::delays(const std::vector<double>& values) const {
    GradientDelays delays;
    for (std::size_t e = 0; e < all_.size(); ++e) {
        const auto [row, column] = all_[e];
        (row == column ? delays.samples[row] : delays.cross[row + column - 1]) = values[e];
    }
    return delays;
}

std::vector<double> DelayElements::values(const GradientDelays& delays) const {
    std::vector<double> values;
    for (const auto& [row, column] : all_) {
        values.push_back(delays.at(row, column));
    }
    return values;
}

std::vector<Trajectory> DelayElements::changes(const Trajectory& steps) const {
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

}  // namespace recon
