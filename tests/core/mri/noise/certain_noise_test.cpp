// The level of noise that signal is never taken for.
#include "core/mri/noise/certain_noise.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <numeric>
#include <random>

#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

Simulation simulation_of(const std::string& trajectory, double snr, double readout_oversampling = 2) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.request.matrix_size = {48, 48, 1};
    options.request.readout_oversampling = readout_oversampling;
    options.coil_count = 3;
    options.snr = snr;
    return simulate_scan(options);
}

NoiseLevel certain_noise_of(const Scan& scan) {
    const Frame& frame = scan.frames.front();
    return certain_noise(
        {frame.kspace, scan.coil_count}, *frame.trajectory,
        KspaceExcerpt::of({frame.kspace, scan.coil_count}, *frame.trajectory, scan.samples_per_readout, 1 << 16),
        scan.geometry.matrix_size);
}

double largest_value(const Scan& scan) {
    double largest = 0;
    for (const cfloat value : scan.frames.front().kspace) {
        largest = std::max<double>(largest, std::abs(value));
    }
    return largest;
}

constexpr double infinite = std::numeric_limits<double>::infinity();

class CertainNoiseOf : public ::testing::TestWithParam<const char*> {};

TEST_P(CertainNoiseOf, IsThatOfTheSimulation) {
    for (const double snr : {5.0, 100.0}) {
        const Simulation simulation = simulation_of(GetParam(), snr);
        const double expected = simulation.noise_standard_deviation;
        EXPECT_NEAR(certain_noise_of(simulation.scan).sigma, expected, 0.1 * expected) << "snr " << snr;
    }
}

TEST_P(CertainNoiseOf, IsNotFoundWhereThereIsNone) {
    const Scan scan = simulation_of(GetParam(), infinite).scan;
    EXPECT_LT(certain_noise_of(scan).sigma, 1e-6 * largest_value(scan));
}

INSTANTIATE_TEST_SUITE_P(, CertainNoiseOf, ::testing::Values("radial", "golden-radial", "spiral"));

/// Half-spokes of noise around a value that all of them begin with: two estimates of the same noise, neither of which
/// is to be taken because it is the lower one. 2000 by 64 samples tell it to .3 %.
TEST(CertainNoise, IsNotTheLowestOfWhatChanceGives) {
    double sum = 0;
    constexpr int trials = 6;
    for (int trial = 0; trial < trials; ++trial) {
        std::mt19937_64 random(static_cast<std::uint64_t>(trial));
        std::normal_distribution<float> normal(0, 1 / std::sqrt(2.0F));
        Trajectory trajectory;
        std::vector<cfloat> kspace;
        for (Index m = 0; m < 2000 * 64; ++m) {
            const double along = 0.4 * static_cast<double>(m % 64), angle = 2.4 * static_cast<double>(m / 64);
            trajectory.k[0].push_back(along * std::cos(angle));
            trajectory.k[1].push_back(along * std::sin(angle));
            trajectory.k[2].push_back(0);
            kspace.push_back(cfloat(m % 64 == 0 ? 5.0F : 0.0F) + cfloat(normal(random), normal(random)));
        }
        const AllCoils coil(kspace, 1);
        sum += certain_noise(coil, trajectory, KspaceExcerpt::of(coil, trajectory, 64, 1 << 16), {48, 48, 1}).sigma;
    }
    EXPECT_NEAR(sum / trials, 1, 0.005);
}

TEST(CertainNoise, IsUnknownWhereSamplesLieAsFarApartAsTheyMay) {
    EXPECT_EQ(certain_noise_of(simulation_of("cartesian", infinite, 1).scan).sigma, 0);
    EXPECT_EQ(certain_noise_of(simulation_of("cartesian", 20, 1).scan).sigma, 0);
}

TEST(CertainNoise, IsUnknownWhereTheOrderOfSamplesMeansNothing) {
    Scan scan = simulation_of("cartesian", infinite).scan;
    Frame& frame = scan.frames.front();
    const Index sample_count = frame.sample_count();
    std::vector<Index> order(static_cast<std::size_t>(sample_count));
    std::iota(order.begin(), order.end(), Index{0});
    std::shuffle(order.begin(), order.end(), std::mt19937_64(3));
    Trajectory trajectory;
    std::vector<cfloat> kspace;
    for (int axis = 0; axis < 3; ++axis) {
        for (const Index m : order) {
            trajectory.k[axis].push_back(frame.trajectory->k[axis][m]);
        }
    }
    for (Index coil = 0; coil < scan.coil_count; ++coil) {
        for (const Index m : order) {
            kspace.push_back(frame.kspace[coil * sample_count + m]);
        }
    }
    frame.trajectory = std::make_shared<const Trajectory>(std::move(trajectory));
    frame.kspace = std::move(kspace);
    EXPECT_EQ(certain_noise_of(scan).sigma, 0);
}

}  // namespace
}  // namespace recon
