#include "core/mri/priors/share_in_gaps.hpp"

#include <gtest/gtest.h>

#include <cmath>

namespace recon {
namespace {

constexpr PerAxis<Index> matrix{16, 12, 1};

/// Every cell twice, but for every `step`-th line of k_y.
Trajectory lines(Index step) {
    Trajectory trajectory;
    for (Index y = 0; y < matrix[1]; ++y) {
        for (Index x = 0; x < 2 * matrix[0] && (step == 0 || y % step != 1); ++x) {
            trajectory.k[0].push_back(0.5 * static_cast<double>(x) - 8);
            trajectory.k[1].push_back(static_cast<double>(y) - 6.2);
            trajectory.k[2].push_back(0);
        }
    }
    return trajectory;
}

double in_gaps(const Trajectory& trajectory, const PowerSpectrum& power) {
    return share_in_gaps(trajectory, matrix, KspaceShells(trajectory, matrix, {200, 200, 0}), power);
}

TEST(ShareInGaps, IsThatOfCellsWithoutSamples) {
    const PowerSpectrum power({0.005, 0.05}, {1, 1e-3});
    EXPECT_EQ(in_gaps(lines(0), power), 0);
    double expected = 0, all = 0;
    for (int y = -6; y < 6; ++y) {
        for (int x = -8; x < 8; ++x) {
            const double energy = power(std::hypot(x, y) / 200);
            all += energy;
            expected += (y + 6) % 3 == 1 ? energy : 0;
        }
    }
    EXPECT_NEAR(in_gaps(lines(3), power), expected / all, 1e-9);
}

/// Corners that no spiral reaches are no gaps.
TEST(ShareInGaps, EndsWhereSamplesEnd) {
    Trajectory disc;
    for (Index y = -3; y <= 3; ++y) {
        for (Index x = -3; x <= 3; ++x) {
            if (std::hypot(x, y) <= 3) {
                disc.k[0].push_back(static_cast<double>(x));
                disc.k[1].push_back(static_cast<double>(y));
                disc.k[2].push_back(0);
            }
        }
    }
    EXPECT_EQ(in_gaps(disc, PowerSpectrum({0.005, 0.05}, {1, 1e-3})), 0);
}

}  // namespace
}  // namespace recon
