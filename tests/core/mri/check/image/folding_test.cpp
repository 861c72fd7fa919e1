#include "core/mri/check/image/folding.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <vector>

namespace recon {
namespace {

/// Lines along x at each `step` cycles in y, from -n/2 on.
Trajectory lines(Index n, double step) {
    Trajectory trajectory;
    for (double y = -static_cast<double>(n) / 2; y < static_cast<double>(n) / 2; y += step) {
        for (Index x = 0; x < 2 * n; ++x) {
            trajectory.k[0].push_back(static_cast<double>(x) / 2 - static_cast<double>(n) / 2);
            trajectory.k[1].push_back(y);
            trajectory.k[2].push_back(0);
        }
    }
    return trajectory;
}

Trajectory spokes(Index n, Index count) {
    Trajectory trajectory;
    for (Index spoke = 0; spoke < count; ++spoke) {
        const double angle = std::numbers::pi * static_cast<double>(spoke) / static_cast<double>(count);
        for (Index i = 0; i < 2 * n; ++i) {
            const double r = static_cast<double>(i - n) / 2;
            trajectory.k[0].push_back(r * std::cos(angle));
            trajectory.k[1].push_back(r * std::sin(angle));
            trajectory.k[2].push_back(0);
        }
    }
    return trajectory;
}

std::vector<cfloat> disc(Index n, double radius) {
    std::vector<cfloat> image;
    for (Index y = -n / 2; y < n / 2; ++y) {
        for (Index x = -n / 2; x < n / 2; ++x) {
            image.emplace_back(std::hypot(x, y) < radius ? 1.0F : 0.0F);
        }
    }
    return image;
}

TEST(Folding, SamplesEverySecondCycleShowPlacesHalfAFieldApartAsOne) {
    EXPECT_NEAR(indistinct_distance(lines(64, 2).k[1], 64).value(), 32, 0.1);
    EXPECT_NEAR(indistinct_distance(lines(64, 1.5).k[1], 64).value(), 64 / 1.5, 1);
    EXPECT_NEAR(indistinct_distance(lines(64, 4).k[1], 64).value(), 16, 1);
}

TEST(Folding, EnoughSamplesTellAllPlaces) {
    EXPECT_FALSE(indistinct_distance(lines(64, 1).k[1], 64));
    EXPECT_FALSE(indistinct_distance(lines(64, 0.5).k[1], 64));
    EXPECT_FALSE(indistinct_distance(lines(64, 2).k[0], 64));
    for (const Index count : {3, 8, 16, 64}) {
        EXPECT_FALSE(indistinct_distance(spokes(64, count).k[0], 64)) << count;
        EXPECT_FALSE(indistinct_distance(spokes(64, count).k[1], 64)) << count;
    }
    EXPECT_FALSE(indistinct_distance(std::vector<double>(10), 64));
    EXPECT_FALSE(indistinct_distance({}, 64));
    EXPECT_FALSE(indistinct_distance(std::vector<double>{0, 1e18}, 64));  // which would be many places
}

TEST(Folding, LinesAtTheCentreTellPlacesBesides) {
    Trajectory trajectory = lines(64, 2);
    for (const double y : {-3, -1, 1, 3}) {
        for (Index x = 0; x < 128; ++x) {
            trajectory.k[1].push_back(y);
        }
    }
    EXPECT_FALSE(indistinct_distance(trajectory.k[1], 64));
}

TEST(Folding, IsFoundWhereTheImageHasBothPlacesInTheField) {
    const std::vector<CheckFinding> found = judge_folding(disc(64, 20), {64, 64, 1}, lines(64, 2), " of frame 2");
    ASSERT_EQ(found.size(), 1U);
    EXPECT_EQ(found[0].kind, "folding");
    EXPECT_NE(found[0].text.find("of frame 2 is folded over itself along y"), std::string::npos) << found[0].text;
    EXPECT_NE(found[0].text.find("samples 2"), std::string::npos) << found[0].text;
    EXPECT_TRUE(judge_folding(disc(64, 20), {64, 64, 1}, lines(64, 1)).empty());
    // Lines 1.1 cycles apart: places 58 voxels apart, and the disc ends before the first of them.
    EXPECT_TRUE(judge_folding(disc(64, 20), {64, 64, 1}, lines(64, 1.1)).empty());
    EXPECT_TRUE(judge_folding(std::vector<cfloat>(64 * 64), {64, 64, 1}, lines(64, 2)).empty());
}

}  // namespace
}  // namespace recon
