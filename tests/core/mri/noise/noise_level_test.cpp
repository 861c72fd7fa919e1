#include "core/mri/noise/noise_level.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/mri/prewhitening.hpp"
#include "data/simulation/noise.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/scans/coil_gain.hpp"

namespace recon {
namespace {

Simulation simulated(const std::string& trajectory, PerAxis<Index> matrix_size, double snr) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.request.matrix_size = matrix_size;
    options.coil_count = 2;
    options.snr = snr;
    options.noise_sample_count = 4000;
    return simulate_scan(options);
}

NoiseLevel edges_of(const Simulation& simulation) {
    const Scan& scan = simulation.scan;
    const Frame& frame = scan.frames.front();
    return noise_level_of_edges({frame.kspace, scan.coil_count}, *frame.trajectory, scan.geometry.matrix_size,
                                scan.samples_per_readout);
}

TEST(NoiseLevel, NoiseAcquisitionsGiveIt) {
    const Simulation simulation = simulated("radial", {32, 32, 1}, 10);
    const NoiseLevel level = noise_level_of_acquisition(simulation.scan.noise);
    // 8000 numbers: 1 / sqrt(2 * 8000) = 0.8 % is one standard deviation
    EXPECT_NEAR(level.sigma / simulation.noise_standard_deviation, 1, 0.03);
}

TEST(NoiseLevel, PrewhiteningKeepsIt) {
    std::vector<cfloat> noise(3 * 5000);
    for (Index coil = 0; coil < 3; ++coil) {
        add_noise(std::span(noise).subspan(coil * 5000, 5000), 1.0 + static_cast<double>(coil), 1, coil);
    }
    const double before = noise_level_of_acquisition(noise).sigma;
    Prewhitening::from_covariance(noise_covariance(noise, 3), 3, "noise").apply(noise);
    EXPECT_NEAR(noise_level_of_acquisition(noise).sigma / before, 1, 1e-5);  // by construction, in single precision
    for (Index coil = 0; coil < 3; ++coil) {                                 // and now it is that of every coil
        EXPECT_NEAR(noise_level_of_acquisition(std::span(noise).subspan(coil * 5000, 5000)).sigma / before, 1, 1e-5);
    }
}

struct EdgeCase {
    std::string trajectory;
    PerAxis<Index> matrix_size;
    double snr;
};

class NoiseOfEdges : public ::testing::TestWithParam<EdgeCase> {};

/// Signal that is left raises it, never lowers it; the medians scatter by a few per cent.
TEST_P(NoiseOfEdges, IsThatOfTheSimulation) {
    const Simulation simulation = simulated(GetParam().trajectory, GetParam().matrix_size, GetParam().snr);
    const NoiseLevel level = edges_of(simulation);
    EXPECT_GT(level.sigma / simulation.noise_standard_deviation, 0.93) << level.source;
    EXPECT_LT(level.sigma / simulation.noise_standard_deviation, 1.10) << level.source;
}

INSTANTIATE_TEST_SUITE_P(Trajectories, NoiseOfEdges,
                         ::testing::Values(EdgeCase{"radial", {64, 64, 1}, 5}, EdgeCase{"radial", {64, 64, 1}, 50},
                                           EdgeCase{"spiral", {64, 60, 1}, 20}, EdgeCase{"radial", {20, 20, 20}, 10},
                                           EdgeCase{"cones", {24, 24, 24}, 10}));

TEST(NoiseLevel, WithoutOversamplingTheOuterSamplesTell) {
    std::vector<cfloat> kspace(2000, cfloat(0));
    Trajectory trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        trajectory.k[axis].assign(2000, 0.0);
    }
    for (Index m = 0; m < 2000; ++m) {
        trajectory.k[0][m] = 0.01 * static_cast<double>(m) - 10;
        kspace[m] = std::abs(trajectory.k[0][m]) < 5 ? cfloat(100, 0) : cfloat(0);  // signal at the centre alone
    }
    add_noise(kspace, 2, 4, 0);
    const NoiseLevel level = noise_level_of_edges({kspace, 1}, trajectory, {20, 1, 1}, 0);
    EXPECT_NEAR(level.sigma, 2, 0.25);  // the median of 200 numbers: 7 % for the variance
    EXPECT_EQ(level.source, "outer samples of k-space");
}

TEST(NoiseLevel, IsToldOfEachCoil) {
    for (const char* const trajectory : {"radial", "spiral"}) {
        Simulation simulation = simulated(trajectory, {48, 48, 1}, 10);
        Frame& frame = simulation.scan.frames.front();
        test::multiply_coil(frame.kspace, 2, 1, 30);
        const std::vector<double> variances =
            noise_variances_of_edges({frame.kspace, 2}, *frame.trajectory, simulation.scan.geometry.matrix_size,
                                     simulation.scan.samples_per_readout);
        ASSERT_EQ(variances.size(), 2U);
        EXPECT_NEAR(std::sqrt(variances[1] / variances[0]), 30, 6) << trajectory;
    }
}

TEST(NoiseLevel, ZerosThatWereFilledInDoNotCount) {
    std::vector<cfloat> kspace(600, cfloat(0));
    add_noise(std::span(kspace).subspan(300, 300), 1, 4, 0);
    Trajectory trajectory;
    for (int axis = 0; axis < 3; ++axis) {
        trajectory.k[axis].assign(600, axis == 0 ? 5.0 : 0.0);
    }
    for (Index m = 0; m < 600; m += 2) {
        trajectory.k[0][m] = 0;
    }
    const std::vector<cfloat> zeros(600, cfloat(0));
    EXPECT_EQ(noise_level_of_edges({zeros, 1}, trajectory, {10, 1, 1}, 60).sigma, 0);
    EXPECT_EQ(noise_level_of_edges({zeros, 1}, trajectory, {10, 1, 1}, 0).sigma, 0);
}

}  // namespace
}  // namespace recon
