#include "core/mri/gradients/impulse_response.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/mri/gradients/gradient_delays.hpp"

namespace recon {
namespace {

constexpr double dwell_s = 4e-6;
constexpr Index length = 64;

Trajectory two_spirals() {
    Trajectory trajectory;
    for (int readout = 0; readout < 2; ++readout) {
        for (Index s = 0; s < length; ++s) {
            const double angle = 0.1 * static_cast<double>(s) + readout;
            trajectory.k[0].push_back(0.1 * static_cast<double>(s) * std::cos(angle));
            trajectory.k[1].push_back(0.1 * static_cast<double>(s) * std::sin(angle));
            trajectory.k[2].push_back(0);
        }
    }
    return trajectory;
}

std::vector<float> times() {
    std::vector<float> values;
    for (Index s = 0; s < 2 * length; ++s) {
        values.push_back(static_cast<float>(1e-3 + dwell_s * static_cast<double>(s % length)));
    }
    return values;
}

TEST(ImpulseResponse, OneLateTapIsADelay) {
    GradientImpulseResponse response;
    response.times_s = {6e-6};
    response.weights[0] = response.weights[4] = response.weights[8] = {1};
    const auto moved = filtered(two_spirals(), times(), length, response);
    const auto expected = delayed(two_spirals(), length, {{1.5, 1.5, 1.5}, {0, 0, 0}});
    for (std::size_t s = 0; s < 2 * length; ++s) {
        EXPECT_NEAR(moved->k[0][s], expected->k[0][s], 1e-5);
        EXPECT_NEAR(moved->k[1][s], expected->k[1][s], 1e-5);
    }
}

/// Readouts that leave the centre were there before: a tap that is late by more than the first samples finds nothing.
TEST(ImpulseResponse, ReadoutsFromTheCentreBeginThere) {
    GradientImpulseResponse response;
    response.times_s = {40e-6};
    response.weights[0] = response.weights[4] = response.weights[8] = {1};
    const auto moved = filtered(two_spirals(), times(), length, response);
    for (std::size_t s = 0; s < 10; ++s) {
        EXPECT_NEAR(moved->k[0][s], 0, 1e-12) << s;
        EXPECT_NEAR(moved->k[1][length + s], 0, 1e-12) << s;
    }
}

TEST(ImpulseResponse, ARampLagsByTheMeanTimeOfTheTaps) {
    Trajectory ramp;
    for (Index s = 0; s < 2 * length; ++s) {
        ramp.k[0].push_back(static_cast<double>(s % length) - 20);
        ramp.k[1].push_back(0);
        ramp.k[2].push_back(0);
    }
    GradientImpulseResponse response;
    double sum = 0, mean_s = 0;
    for (int m = 0; m < 40; ++m) {
        response.times_s.push_back(m * 2e-6);
        response.weights[0].push_back(std::exp(-m / 8.0));
        sum += response.weights[0].back();
        mean_s += m * 2e-6 * response.weights[0].back();
    }
    for (double& weight : response.weights[0]) {
        weight /= sum;
    }
    mean_s /= sum;
    response.weights[3] = response.weights[0];  // x on y: as much
    const auto moved = filtered(ramp, times(), length, response);
    for (Index s = 0; s < length; ++s) {
        EXPECT_NEAR(moved->k[0][static_cast<std::size_t>(s)], static_cast<double>(s) - 20 - mean_s / dwell_s, 1e-4);
        EXPECT_EQ(moved->k[1][static_cast<std::size_t>(s)], moved->k[0][static_cast<std::size_t>(s)]);
    }
}

TEST(ImpulseResponse, NeedsTimes) {
    GradientImpulseResponse response;
    EXPECT_THROW(filtered(two_spirals(), {}, length, response), InputError);
    EXPECT_THROW(filtered(two_spirals(), times(), 0, response), InputError);
    EXPECT_THROW(filtered(two_spirals(), std::vector<float>(2 * length, 1e-3F), length, response), InputError);
}

}  // namespace
}  // namespace recon
