#include "core/mri/gradients/gradient_delays.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/base/error.hpp"
#include "core/mri/gradients/readout_interpolation.hpp"

namespace recon {
namespace {

TEST(ReadoutInterpolation, IsExactForCubicsAndGoesOnStraight) {
    std::vector<double> k;
    for (int s = 0; s < 7; ++s) {
        k.push_back(1 + 2 * s - 0.5 * s * s + 0.1 * s * s * s);
    }
    for (const double s : {0.0, 0.3, 1.5, 2.25, 4.9, 6.0}) {
        EXPECT_NEAR(position_at(k, s), 1 + 2 * s - 0.5 * s * s + 0.1 * s * s * s, 1e-12) << s;
    }
    EXPECT_NEAR(position_at(k, -2), k[0] - 2 * (k[1] - k[0]), 1e-12);
    EXPECT_NEAR(position_at(k, 7.5), k[6] + 1.5 * (k[6] - k[5]), 1e-12);
    EXPECT_EQ(position_at(std::vector<double>{3}, 5), 3);
    EXPECT_NEAR(position_at(std::vector<double>{1, 2, 4}, 1.5), 3, 1e-12);
}

TEST(GradientDelays, MoveStraightReadoutsBack) {
    Trajectory trajectory;
    for (int readout = 0; readout < 2; ++readout) {
        for (int s = 0; s < 8; ++s) {
            trajectory.k[0].push_back(readout == 0 ? 0.5 * (s - 4) : 0);
            trajectory.k[1].push_back(readout == 0 ? 0 : 0.25 * (s - 4));
            trajectory.k[2].push_back(0);
        }
    }
    const auto moved = delayed(trajectory, 8, {{1.5, -2, 7}, {0.5, 0, 0}});
    for (std::size_t s = 0; s < 8; ++s) {
        EXPECT_NEAR(moved->k[0][s], trajectory.k[0][s] - 0.75, 1e-12);
        EXPECT_NEAR(moved->k[1][s], -0.25, 1e-12) << "x on y";
        EXPECT_NEAR(moved->k[1][8 + s], trajectory.k[1][8 + s] + 0.5, 1e-12);
        EXPECT_NEAR(moved->k[0][8 + s], -0.125, 1e-12) << "y on x";
        EXPECT_EQ(moved->k[2][s], 0);
    }
    EXPECT_THROW(delayed(trajectory, 0, {}), InputError);
    EXPECT_THROW(delayed(trajectory, 7, {}), InputError);
}

/// Two readouts from 0 outward, one through the centre, one of a stack beside it, one that begins half a step out.
TEST(GradientDelays, ReadoutsFromTheCentreWaitThere) {
    constexpr Index length = 8;
    Trajectory trajectory;
    for (const PerAxis<double>& begin :
         {PerAxis<double>{0, 0, 0}, PerAxis<double>{-2, 0, 0}, PerAxis<double>{0, 0, 3}, PerAxis<double>{0.25, 0, 0}}) {
        for (int s = 0; s < length; ++s) {
            trajectory.k[0].push_back(begin[0] + 0.5 * s);
            trajectory.k[1].push_back(begin[1]);
            trajectory.k[2].push_back(begin[2]);
        }
    }
    EXPECT_EQ(start_of_readout(trajectory, 0, length), 0);
    EXPECT_LT(start_of_readout(trajectory, length, length), -1e9);
    EXPECT_EQ(start_of_readout(trajectory, 2 * length, length), 0);
    EXPECT_EQ(start_of_readout(trajectory, 3 * length, length), -0.5);
    const auto moved = delayed(trajectory, length, {{1.5, 1.5, 1.5}, {0, 0, 0}});
    const std::vector<double> expected{0, 0, 0.25, 0.75}, through{-2.75, -2.25, -1.75, -1.25};
    for (std::size_t s = 0; s < 4; ++s) {
        EXPECT_NEAR(moved->k[0][s], expected[s], 1e-12) << s;
        EXPECT_NEAR(moved->k[0][length + s], through[s], 1e-12) << s;
        EXPECT_NEAR(moved->k[0][2 * length + s], expected[s], 1e-12) << s;
        EXPECT_EQ(moved->k[2][2 * length + s], 3);
        EXPECT_NEAR(moved->k[0][3 * length + s], s == 0 ? 0 : 0.5 * static_cast<double>(s) - 0.5, 1e-12) << s;
    }
}

TEST(GradientDelays, SpiralsAreMovedAlongThemselves) {
    constexpr double turn = 0.1;
    const auto at = [](double s) {
        return PerAxis<double>{0.5 * s * std::cos(turn * s), 0.5 * s * std::sin(turn * s), 0};
    };
    Trajectory spiral;
    for (int s = 0; s < 200; ++s) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            spiral.k[axis].push_back(at(s)[axis]);
        }
    }
    const auto moved = delayed(spiral, 200, {{0.6, 0.6, 0.6}, {0, 0, 0}});
    for (int s = 2; s < 198; ++s) {
        EXPECT_NEAR(moved->k[0][static_cast<std::size_t>(s)], at(s - 0.6)[0], 1e-3) << s;
        EXPECT_NEAR(moved->k[1][static_cast<std::size_t>(s)], at(s - 0.6)[1], 1e-3) << s;
    }
}

}  // namespace
}  // namespace recon
