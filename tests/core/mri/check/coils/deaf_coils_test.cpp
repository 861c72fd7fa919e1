#include "core/mri/check/coils/deaf_coils.hpp"

#include <gtest/gtest.h>

#include <random>

namespace recon {
namespace {

constexpr Index deaf_readouts = 40, deaf_length = 64;

Trajectory deaf_trajectory() {
    Trajectory trajectory;
    for (Index m = 0; m < deaf_readouts * deaf_length; ++m) {
        const double angle = 0.157 * static_cast<double>(m / deaf_length);
        const auto radius = static_cast<double>(m % deaf_length - deaf_length / 2);
        trajectory.k[0].push_back(radius * std::cos(angle));
        trajectory.k[1].push_back(radius * std::sin(angle));
        trajectory.k[2].push_back(0);
    }
    return trajectory;
}

/// A blob of this size in each coil, and noise of this standard deviation.
std::vector<Index> deaf_of(const std::vector<double>& signals, const std::vector<double>& sigmas) {
    const Trajectory trajectory = deaf_trajectory();
    std::mt19937 random(4);
    std::normal_distribution<double> normal(0, std::sqrt(0.5));
    std::vector<cfloat> kspace;
    for (std::size_t coil = 0; coil < signals.size(); ++coil) {
        for (Index m = 0; m < trajectory.sample_count(); ++m) {
            const double square = std::pow(trajectory.k[0][m], 2) + std::pow(trajectory.k[1][m], 2);
            kspace.emplace_back(cdouble(signals[coil] * std::exp(-square / 50)) +
                                sigmas[coil] * cdouble(normal(random), normal(random)));
        }
    }
    const AllCoils coils(kspace, static_cast<Index>(signals.size()));
    return deaf_coils(coils, trajectory, coil_noise(coils, trajectory, {64, 64, 1}, deaf_length));
}

TEST(DeafCoils, HoldNoiseAloneWhereOthersHoldSignal) {
    EXPECT_EQ(deaf_of({100, 0, 80, 120}, {1, 1, 1, 1}), std::vector<Index>{1});
    EXPECT_EQ(deaf_of({100, 90, 80, 0}, {1, 1, 1, 8}), std::vector<Index>{3});
    EXPECT_EQ(deaf_of({1e-3, 90, 80, 100}, {1e-3, 1, 1, 1}), std::vector<Index>{0});
}

TEST(DeafCoils, AreNoneThatSeeLittleNorAnyInNoise) {
    EXPECT_TRUE(deaf_of({100, 5, 80, 120}, {1, 1, 1, 1}).empty());
    EXPECT_TRUE(deaf_of({3, 1, 2, 3}, {1, 1, 1, 1}).empty());
    EXPECT_TRUE(deaf_of({100, 0}, {1, 1}).empty());
}

}  // namespace
}  // namespace recon
