#include "data/simulation/off_resonance_simulation.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

constexpr double no_noise = std::numeric_limits<double>::infinity();

SimulationOptions spiral(PerAxis<Index> matrix_size, SimulatedOffResonance off_resonance) {
    SimulationOptions options;
    options.request.matrix_size = matrix_size;
    options.request.interleaves = 3;
    options.trajectory = "spiral";
    options.coil_count = 2;
    options.snr = no_noise;
    options.off_resonance = off_resonance;
    return options;
}

TEST(OffResonanceSimulation, EverySampleHasThePhaseAndDecayOfItsOwnTime) {
    const PerAxis<Index> size{5, 4, 3};
    const VoxelGrid grid = VoxelGrid::image(size);
    const Trajectory trajectory = test::random_trajectory(17, size, 1);
    const auto images = test::random_values(60 * 2, 2);
    std::vector<float> field(60), decay(60), times(17);
    for (std::size_t n = 0; n < 60; ++n) {
        field[n] = static_cast<float>(200 * std::sin(static_cast<double>(n)));
        decay[n] = static_cast<float>(50 + n);
    }
    for (std::size_t m = 0; m < 17; ++m) {
        times[m] = 1e-3F * static_cast<float>(m % 5);  // some alike
    }
    const auto backend = make_cpu_backend(1);
    const auto found = signal_with_off_resonance(*backend, images, size, 2, field, decay, trajectory, times);
    std::vector<cdouble> expected(34, 0);
    for (Index coil = 0; coil < 2; ++coil) {
        for (Index m = 0; m < 17; ++m) {
            for (Index n = 0; n < 60; ++n) {
                const PerAxis<Index> index{n % 5, n / 5 % 4, n / 20};
                double turns = double{field[n]} * double{times[m]};
                for (int axis = 0; axis < 3; ++axis) {
                    turns += trajectory.k[axis][m] * grid.position(axis, index[axis]);
                }
                expected[coil * 17 + m] +=
                    images[coil * 60 + n] * std::polar(std::exp(-double{decay[n]} * times[m]), -2 * pi * turns);
            }
        }
    }
    EXPECT_LT(test::relative_difference(found, expected), 1e-12);
    EXPECT_THROW(signal_with_off_resonance(*backend, images, size, 3, field, decay, trajectory, times), ShapeError);
}

TEST(OffResonanceSimulation, NextToNoOffResonanceGivesTheExactTransform) {
    // Voxels of a third of the size stand for the integral: with edges rounded over 0.6 voxels their spectrum repeats
    // beyond 2.5 bands, where exp(-2 pi^2 0.36 * 2.5^2) is nothing. The head ends 0.04 fields of view before the
    // border, here 1.6 voxels or 2.7 standard deviations of its rounding: 0.4 % of its edge lies beyond
    // (measured: 3.8e-3 of the signal, 8e-4 with twice as many voxels).
    const SimulationOptions exact = spiral({40, 36, 1}, {});
    const SimulationOptions tiny = spiral({40, 36, 1}, {1e-6, 0});
    const auto a = simulate_scan(exact).scan.frames[0].kspace, b = simulate_scan(tiny).scan.frames[0].kspace;
    EXPECT_LT(
        test::relative_difference(std::vector<cdouble>(b.begin(), b.end()), std::vector<cdouble>(a.begin(), a.end())),
        5e-3);
}

TEST(OffResonanceSimulation, TheScanComesWithItsMaps) {
    SimulationOptions options = spiral({32, 30, 1}, {120, 40});
    const Simulation whole = simulate_scan(options);
    ASSERT_EQ(whole.scan.off_resonance_hz.size(), 960U);
    ASSERT_EQ(whole.scan.relaxation_rate_per_s.size(), 960U);
    const auto [lowest, highest] =
        std::minmax_element(whole.scan.off_resonance_hz.begin(), whole.scan.off_resonance_hz.end());
    EXPECT_LE(*highest, 120);
    EXPECT_GT(*highest, 60);
    EXPECT_GE(*lowest, -90);
    options.field_map_part = SimulationOptions::FieldMapPart::object;
    const Simulation object = simulate_scan(options);
    EXPECT_EQ(object.scan.off_resonance_hz[0], 0) << "a corner";
    EXPECT_EQ(object.scan.off_resonance_hz[15 * 32 + 16], whole.scan.off_resonance_hz[15 * 32 + 16]);
    EXPECT_EQ(object.scan.frames[0].kspace, whole.scan.frames[0].kspace);
    options.off_resonance.r2star_per_s = -1;
    test::expect_error<UsageError>([&] { simulate_scan(options); }, {"`r2star`"});
    options.off_resonance = {std::nan(""), 0};
    test::expect_error<UsageError>([&] { simulate_scan(options); }, {"`off_resonance`"});
}

}  // namespace
}  // namespace recon
