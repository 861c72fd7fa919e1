#include "core/heart/excitation_model.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr double most_steps = 1e9;

/// The largest rate of the reaction in the equation of E, but for k: k (b + 1)^2 / 4, the most that R can be.
double most_recovery(const ExcitationModel& model) { return model.k * (model.b + 1) * (model.b + 1) / 4; }

/// 1 / (epsilon + M1 / M2 R) for the largest R
double recovery_step_limit(const ExcitationModel& model) {
    return 1 / (model.epsilon + model.m1 / model.m2 * most_recovery(model));
}

}  // namespace

double ExcitationModel::diffusion_number(Index size, double time_step) const {
    const auto n = static_cast<double>(size);
    return diffusion * time_step * n * n;
}

double ExcitationModel::stable_time_step(Index size) const {
    constexpr double margin = 0.95;
    const double dx = 1 / static_cast<double>(size);
    const double of_excitation = dx * dx / (4 * diffusion + dx * dx * (most_recovery(*this) + k));
    return margin * std::min(of_excitation, recovery_step_limit(*this));
}

void ExcitationModel::require_valid(Index size, double time_step) const {
    if (size < least_excitation_size || size > most_excitation_size) {
        throw UsageError(fmt::format("`size`: {} cells along a side, expected {} to {}", size, least_excitation_size,
                                     most_excitation_size));
    }
    for (const double parameter : {a, b, k, m1, m2, epsilon, diffusion}) {
        if (!(parameter >= 0 && parameter <= 1e3)) {
            throw UsageError(fmt::format("a parameter of the excitation model is {}, expected 0 to 1000", parameter));
        }
    }
    if (!(m2 > 0)) {
        throw UsageError("M2 of the excitation model is 0, expected above 0: R is divided by E + M2");
    }
    if (!(time_step > 0) || !std::isfinite(time_step)) {
        throw UsageError(fmt::format("`dt`: {}, expected above 0", time_step));
    }
    // On coarse sheets the reactions bound the step before diffusion does; Euler's limit is twice the inverse rate.
    const double most_for_reactions = std::min(recovery_step_limit(*this), 2 / (k + most_recovery(*this)));
    constexpr double most_alpha = 0.25;
    const double alpha = diffusion_number(size, time_step);
    if (alpha > most_alpha) {
        throw UsageError(fmt::format(
            "`dt`: {:g} is unstable for {} cells along a side: alpha = d dt / dx^2 = {:.4g}, expected at most 1/4, "
            "that is a `dt` of at most {:.6g}",
            time_step, size, alpha, std::min(most_alpha / diffusion_number(size, 1), most_for_reactions)));
    }
    if (time_step > most_for_reactions) {
        throw UsageError(fmt::format("`dt`: {:g} is too long for the reactions of the model, expected at most {:.6g}",
                                     time_step, most_for_reactions));
    }
}

Index steps_until(double time, double time_step) {
    if (!(time >= 0) || !std::isfinite(time)) {
        throw UsageError(fmt::format("`time`: {}, expected 0 or more", time));
    }
    if (time / time_step > most_steps) {
        throw UsageError(
            fmt::format("`time`: {:g} in steps of {:g} is {:.3g} steps, expected at most {:g}; ask for a shorter time",
                        time, time_step, time / time_step, most_steps));
    }
    Index steps = 0;
    for (double t = 0; t < time; t += time_step) {
        ++steps;
    }
    return steps;
}

}  // namespace recon
