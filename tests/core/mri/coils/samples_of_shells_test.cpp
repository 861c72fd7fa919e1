#include "core/mri/coils/samples_of_shells.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

namespace recon {
namespace {

/// Every whole cycle of a square.
Trajectory cartesian(Index half) {
    Trajectory trajectory;
    for (Index y = -half; y <= half; ++y) {
        for (Index x = -half; x <= half; ++x) {
            trajectory.k[0].push_back(static_cast<double>(x));
            trajectory.k[1].push_back(static_cast<double>(y));
            trajectory.k[2].push_back(0);
        }
    }
    return trajectory;
}

TEST(SamplesOfShells, SeeTheFewOfTheCentreAndAPartOfTheManyBeyond) {
    const Trajectory trajectory = cartesian(50);
    const std::vector<Index> samples = samples_of_shells(trajectory, 10, 100);
    EXPECT_TRUE(std::is_sorted(samples.begin(), samples.end()));
    EXPECT_EQ(std::adjacent_find(samples.begin(), samples.end()), samples.end());
    Index inner = 0, outer = 0;
    for (const Index m : samples) {
        const double radius =
            std::hypot(trajectory.k[0][static_cast<std::size_t>(m)], trajectory.k[1][static_cast<std::size_t>(m)]);
        inner += radius < 5 ? 1 : 0;
        outer += radius >= 45 ? 1 : 0;
    }
    EXPECT_EQ(inner, 69);   // every one: whole points within a circle of radius 5, without those on it
    EXPECT_EQ(outer, 100);  // of thousands, the corners with the last shell
    EXPECT_EQ(samples.size(), 69U + 9 * 100);
}

TEST(SamplesOfShells, AreAllOfASmallScan) {
    EXPECT_EQ(samples_of_shells(cartesian(5), 4, 1000).size(), 121U);
    EXPECT_EQ(samples_of_shells({{{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}}}}, 4, 1000).size(), 3U);  // no extent at all
}

}  // namespace
}  // namespace recon
