#include "core/mri/echo_centre.hpp"

#include <gtest/gtest.h>

#include <array>
#include <cmath>
#include <functional>
#include <vector>

namespace recon {
namespace {

using Energy = std::function<double(double kx, double ky)>;

/// Spokes through k = 0, half a cycle between samples; the second of two coils sees the first's signal times i / 2.
struct Spokes {
    Trajectory trajectory;
    std::vector<cfloat> kspace;

    Spokes(Index spoke_count, Index half, const Energy& amplitude) {
        for (Index spoke = 0; spoke < spoke_count; ++spoke) {
            const double angle = pi * static_cast<double>(spoke) / static_cast<double>(spoke_count);
            for (Index s = -2 * half; s <= 2 * half; ++s) {
                const double radius = 0.5 * static_cast<double>(s);
                trajectory.k[0].push_back(radius * std::cos(angle));
                trajectory.k[1].push_back(radius * std::sin(angle));
                trajectory.k[2].push_back(0);
                kspace.emplace_back(static_cast<float>(amplitude(trajectory.k[0].back(), trajectory.k[1].back())));
            }
        }
        const std::size_t count = kspace.size();
        for (std::size_t i = 0; i < count; ++i) {
            kspace.push_back(kspace[i] * cfloat(0, 0.5F));
        }
    }
    PerAxis<double> echo(const PerAxis<Index>& matrix_size) const {
        return echo_centre(trajectory, {kspace, 2}, matrix_size);
    }
};

/// A Gaussian echo of a third of the matrix.
Energy echo_at(double x, double y) {
    return [x, y](double kx, double ky) { return std::exp(-((kx - x) * (kx - x) + (ky - y) * (ky - y)) / 60); };
}

constexpr PerAxis<double> nowhere_else{0, 0, 0};

TEST(EchoCentre, IsWhereTheEchoIs) {
    const PerAxis<double> echo = Spokes(100, 24, echo_at(14, -3)).echo({48, 48, 1});
    EXPECT_NEAR(echo[0], 14, 1);
    EXPECT_NEAR(echo[1], -3, 1);
    EXPECT_EQ(echo[2], 0);
}

TEST(EchoCentre, DoesNotFollowSmallMovesAndNoise) {
    EXPECT_EQ(Spokes(100, 24, echo_at(0, 0)).echo({48, 48, 1}), nowhere_else);
    EXPECT_EQ(Spokes(100, 24, echo_at(1.5, 1)).echo({48, 48, 1}), nowhere_else);
    EXPECT_EQ(Spokes(40, 24, [](double, double) { return 1; }).echo({48, 48, 1}), nowhere_else);
    EXPECT_EQ(Spokes(40, 24, [](double, double) { return 0; }).echo({48, 48, 1}), nowhere_else);
}

/// In few planes the outermost are no echo, though the mean over those near one leaves out the others.
TEST(EchoCentre, IsNoneInAThinSlab) {
    for (const Index planes : {2, 3, 4, 5, 6, 7}) {
        Trajectory trajectory;
        std::vector<cfloat> kspace;
        for (Index kz = -(planes / 2); kz < planes - planes / 2; ++kz) {
            for (Index ky = -12; ky < 12; ++ky) {
                for (Index kx = -12; kx < 12; ++kx) {
                    const std::array<Index, 3> k{kx, ky, kz};
                    for (int axis = 0; axis < 3; ++axis) {
                        trajectory.k[axis].push_back(static_cast<double>(k[axis]));
                    }
                    const auto square = static_cast<double>(kx * kx + ky * ky + 20 * kz * kz);
                    kspace.emplace_back(static_cast<float>(std::exp(-square / 30)));
                }
            }
        }
        EXPECT_EQ(echo_centre(trajectory, {kspace, 1}, {24, 24, planes}), nowhere_else) << planes;
    }
}

/// Few samples far out are no echo, nor are many at the centre: what counts is the mean.
TEST(EchoCentre, DoesNotDependOnTheDensityOfSamples) {
    const Spokes even(100, 24, echo_at(9, 4));
    Spokes crowded = even;
    const std::size_t count = even.kspace.size() / 2;
    std::vector<cfloat> second(crowded.kspace.begin() + static_cast<std::ptrdiff_t>(count), crowded.kspace.end());
    crowded.kspace.resize(count);
    for (int repeat = 0; repeat < 3000; ++repeat) {
        for (auto& k : crowded.trajectory.k) {
            k.push_back(0);
        }
        crowded.kspace.push_back(static_cast<float>(echo_at(9, 4)(0, 0)));
        second.push_back(crowded.kspace.back() * cfloat(0, 0.5F));
    }
    crowded.kspace.insert(crowded.kspace.end(), second.begin(), second.end());
    EXPECT_EQ(crowded.echo({48, 48, 1}), even.echo({48, 48, 1}));
}

/// Spokes of a volume crowd at k = 0, which a cell beside it has among fewer others: no more signal for that.
TEST(EchoCentre, IsNotBesideWhereSpokesMeet) {
    Trajectory trajectory;
    std::vector<cfloat> kspace;
    constexpr Index spokes = 600, half = 24;
    for (Index spoke = 0; spoke < spokes; ++spoke) {  // spiral over a sphere
        const double z = -1 + (2 * static_cast<double>(spoke) + 1) / static_cast<double>(spokes);
        const double angle = 2.39996 * static_cast<double>(spoke), ring = std::sqrt(1 - z * z);
        for (Index s = -half; s <= half; ++s) {
            const double radius = 0.5 * static_cast<double>(s);
            trajectory.k[0].push_back(radius * ring * std::cos(angle));
            trajectory.k[1].push_back(radius * ring * std::sin(angle));
            trajectory.k[2].push_back(radius * z);
            kspace.emplace_back(static_cast<float>(std::exp(-std::abs(radius))));
        }
    }
    EXPECT_EQ(echo_centre(trajectory, {kspace, 1}, {24, 24, 8}), nowhere_else);
    EXPECT_EQ(echo_centre(trajectory, {kspace, 1}, {24, 24, 24}), nowhere_else);
}

TEST(EchoCentre, LooksWithinTheMatrix) { EXPECT_EQ(Spokes(100, 24, echo_at(20, 0)).echo({16, 16, 1})[0], 8); }

}  // namespace
}  // namespace recon
