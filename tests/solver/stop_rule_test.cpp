// When solvers stop: in which order the limits are asked, and that rest means that little is left to come.
#include "solver/stop_rule.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <functional>

#include "core/backend/backend.hpp"
#include "core/backend/cpu/cpu_backend.hpp"

namespace recon {
namespace {

TEST(StopRule, AsksTheObserverThenTheResidualThenTheEnergy) {
    struct StopAtTwo final : IterationObserver {
        bool iteration_done(int iteration, double, ConstArrayView) override { return iteration < 2; }
    } observer;
    const auto backend = make_cpu_backend(0);
    const Array x(*backend, {{"n", 1}}, Precision::single);
    StopRule observed({.iterations = 9, .residual = 0.5, .energy = 1}, &observer);
    EXPECT_EQ(observed.after_step({.residual = 0.9}, x), std::nullopt);
    EXPECT_EQ(observed.after_step({.residual = 0.1}, x), StopReason::cancelled);

    StopRule rule({.iterations = 5, .residual = 0.5, .energy = 1});
    double gain = 0.2;
    for (int step = 0; step < 3; ++step) {
        EXPECT_EQ(rule.after_step({.residual = 0.9, .energy_gain = gain}, x), std::nullopt) << step;
        gain /= 2;
    }
    EXPECT_EQ(rule.before_step(), std::nullopt);
    EXPECT_EQ(rule.after_step({.residual = 0.9, .energy_gain = gain}, x), StopReason::energy);
    EXPECT_EQ(rule.after_step({.residual = 0.5, .energy_gain = gain}, x), StopReason::residual);
    EXPECT_EQ(rule.before_step(), StopReason::residual) << "a rule that is taken up stops where it would have";
    EXPECT_EQ(rule.residuals(), (std::vector<double>{0.9, 0.9, 0.9, 0.9, 0.5}));
}

/// @param decay  of the gains from step to step, the first being 1 @return steps until the rule stops
int steps_until_rest(const StopLimits& limits, double decay, const std::function<double(int)>& value_of_x) {
    const auto backend = make_cpu_backend(0);
    Array x(*backend, {{"n", 1}}, Precision::double_);
    StopRule rule(limits);
    for (int step = 0; step < 1000; ++step) {
        backend->fill(value_of_x(step), x);
        if (rule.after_step({.residual = 1, .energy_gain = std::pow(decay, step)}, x)) {
            return step + 1;
        }
    }
    return 1000;
}

/// What is left to gain counts, however little one step gains.
TEST(StopRule, RestsByWhatIsLeftOfTheEnergy) {
    const auto still = [](int) { return 1.0; };
    for (const double decay : {0.3, 0.7, 0.9, 0.97}) {
        const int steps = steps_until_rest({.iterations = 1000, .energy = 0.01}, decay, still);
        EXPECT_LT(std::pow(decay, steps) / (1 - decay), 0.01) << decay;
        EXPECT_GT(std::pow(decay, steps - 3) / (1 - decay), 0.01) << decay << ": stops two steps late, no more";
    }
}

/// A step that hardly gains anything says little of those that follow.
TEST(StopRule, DoesNotRestAtAStall) {
    const auto backend = make_cpu_backend(0);
    const Array x(*backend, {{"n", 1}}, Precision::double_);
    StopRule rule({.iterations = 100, .energy = 0.2});
    for (const double gain : {1.0, 1.0, 1.0, 1.0, 1e-6, 1.0, 1e-6, 1.0, 1.0}) {
        EXPECT_EQ(rule.after_step({.residual = 1, .energy_gain = gain}, x), std::nullopt);
    }
}

TEST(StopRule, RestsByTheSizeAsWell) {
    const auto grows = [](double decay) { return [decay](int step) { return 1 - std::pow(decay, step + 1); }; };
    const StopLimits both{.iterations = 1000, .energy = 0.01, .size = 0.05};
    EXPECT_EQ(steps_until_rest(both, 0.3, grows(0.3)),
              steps_until_rest({.iterations = 1000, .energy = 0.01}, 0.3, grows(0.3)));
    const int steps = steps_until_rest(both, 0.3, grows(0.95));
    EXPECT_LT(1 - std::pow(grows(0.95)(steps), 2), 0.05);
    EXPECT_LT(steps, 100);
}

/// |x|^2 that grows by a geometric series ends where the series says; one that rests and then goes on does not.
TEST(StopRule, TellsByHowMuchTheSizeGrewAfterItSeemedToRest) {
    const auto backend = make_cpu_backend(0);
    Array x(*backend, {{"n", 1}}, Precision::double_);
    const auto growth = [&](auto&& size_of) {
        StopRule rule({.iterations = 1000, .energy = 1e9, .size = 0.05});
        std::optional<StopReason> reason;
        for (int step = 0; !reason; ++step) {
            backend->fill(std::sqrt(size_of(step)), x);
            reason = rule.after_step({.residual = 1, .energy_gain = 1}, x);
        }
        return rule.growth_after_rest();
    };
    const double series = growth([](int step) { return 1 - std::pow(0.8, step + 1); });
    EXPECT_GT(series, 1);
    EXPECT_LT(series, 1.25 / 0.99);
    // A tenth of what there is seems to be all, and before it is the rest comes.
    EXPECT_GT(growth([](int step) {
                  const double rest = step > 9 ? 0.9 * (1 - std::pow(0.8, step - 9)) : 0;
                  return 0.1 * (1 - std::pow(0.8, step + 1)) + rest;
              }),
              10);
    StopRule unasked({.iterations = 9, .energy = 1});
    EXPECT_EQ(unasked.growth_after_rest(), 1);
}

}  // namespace
}  // namespace recon
