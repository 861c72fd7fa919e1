#include "app/reconstruction/check/positions/fitted_factors.hpp"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "app/reconstruction/check/positions/sharp_fit.hpp"

namespace recon {
namespace {

Scan with_fixes(const Scan& probe, const std::vector<ScanFix>& fixes) {
    Scan changed = probe;
    for (const ScanFix& fix : fixes) {
        apply(fix, changed);
    }
    return changed;
}

/// How samples move with the factor of a fix: dk/df.
Trajectory derivative(const Scan& scan, ScanFix fix) {
    constexpr double step = 1e-4;
    fix.factor = 1 + step;
    Scan moved = scan;
    apply(fix, moved);
    Trajectory change = *moved.frames.front().trajectory;
    const Trajectory& before = *scan.frames.front().trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        for (std::size_t m = 0; m < change.k[axis].size(); ++m) {
            change.k[axis][m] = (change.k[axis][m] - before.k[axis][m]) / step;
        }
    }
    return change;
}

std::optional<GaussNewtonStep> step_of(const SharpFit& fit, const Scan& changed, const std::vector<ScanFix>& fixes) {
    std::vector<Trajectory> changes;
    for (const ScanFix& fix : fixes) {
        changes.push_back(derivative(changed, fix));
    }
    return fit.step(changes);
}

}  // namespace

std::optional<FittedFactors> fit_factors(const Scan& probe, std::vector<ScanFix> fixes, Backend& backend) {
    constexpr int most_rounds = 4;
    constexpr double largest_step = 0.15, at_rest = 0.01;  // what is missing then is of its square
    FittedFactors found;
    found.fixes = std::move(fixes);
    double noise_before = 0;
    for (int round = 0;; ++round) {
        const Scan changed = with_fixes(probe, found.fixes);
        SharpFit fit(changed, backend);
        if (fit.is_empty()) {
            return std::nullopt;
        }
        const double weight_sum = std::accumulate(fit.weights().begin(), fit.weights().end(), 0.0);
        const double noise = std::sqrt(weight_sum / fit.energy());
        found.residual = fit.residual();
        if (round == 0) {
            found.residual_before = found.residual;
            noise_before = noise;
        }
        found.noise_ratio = noise / noise_before;
        const auto step = step_of(fit, changed, found.fixes);
        if (!step) {
            return std::nullopt;
        }
        found.deviations = step->deviations;
        double largest = 0;
        for (std::size_t i = 0; i < found.fixes.size(); ++i) {
            const double value = std::clamp(step->values[i], -largest_step, largest_step);
            largest = std::max(largest, std::abs(value));
            found.fixes[i].factor *= 1 + value;
        }
        if (largest < at_rest || round + 1 == most_rounds) {
            if (round > 0) {  // else the factors are 1, or nearly
                fit.repeat_on_itself();
                const auto error = step_of(fit, changed, found.fixes);
                for (std::size_t i = 0; error && i < found.fixes.size(); ++i) {
                    found.fixes[i].factor /= 1 + error->values[i];
                    found.deviations[i] = std::hypot(step->deviations[i], error->deviations[i]);
                }
            }
            return found;
        }
    }
}

}  // namespace recon
