#include <gtest/gtest.h>
#include <omp.h>

#include <cmath>
#include <limits>

#include "core/base/error.hpp"
#include "core/fourier/direct_sums.hpp"
#include "data/simulation/noise.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

constexpr double snr_without_noise = std::numeric_limits<double>::infinity();

SimulationOptions small_scan() {
    SimulationOptions options;
    options.request.matrix_size = {12, 11, 10};
    options.coil_count = 3;
    return options;
}

/// The least-squares image of a full Cartesian scan is the inverse DFT of each coil's data divided by the number of
/// voxels. It equals map times truth up to what lies beyond the band; wider edges leave less there.
TEST(SimulateScan, FullCartesianScanReturnsTheTruth) {
    // A Gaussian of s voxels leaves exp(-2 pi^2 s^2 / 4) of the spectrum at the edge of the band: 0.17, 0.04 and 8e-4.
    // The head ends 0.04 fields of view before the border, and what the Gaussian carries beyond wraps around: the wide
    // edge needs the long axis.
    struct {
        PerAxis<Index> matrix_size;
        double edge_voxels;
        double tolerance;
    } const cases[] = {{{20, 21, 16}, 0.6, 0.06}, {{72, 66, 1}, 0.8, 0.02}, {{181, 1, 1}, 1.2, 1e-3}};
    for (const auto& [matrix_size, edge_voxels, tolerance] : cases) {
        SimulationOptions options;
        options.trajectory = "cartesian";
        options.request.matrix_size = matrix_size;
        options.request.readout_oversampling = 1;
        options.coil_count = 2;
        options.edge_voxels = edge_voxels;
        options.snr = snr_without_noise;
        const Simulation simulation = simulate_scan(options);
        const Frame& frame = simulation.scan.frames.front();
        const auto voxel_count = static_cast<Index>(simulation.truth.size());
        ASSERT_EQ(frame.sample_count(), voxel_count);
        for (Index coil = 0; coil < 2; ++coil) {
            const std::vector<cdouble> data(frame.kspace.begin() + coil * voxel_count,
                                            frame.kspace.begin() + (coil + 1) * voxel_count);
            std::vector<cdouble> image =
                direct_adjoint(*frame.trajectory, VoxelGrid::image(options.request.matrix_size), data);
            std::vector<cdouble> wanted(voxel_count);
            for (Index i = 0; i < voxel_count; ++i) {
                image[i] /= static_cast<double>(voxel_count);
                wanted[i] = cdouble(simulation.truth[i]) * cdouble(simulation.scan.coil_maps[coil * voxel_count + i]);
            }
            EXPECT_LT(test::relative_difference(image, wanted), tolerance) << edge_voxels;
        }
    }
}

/// Two dimensions and the sharp phantom: the same, within the Gibbs ringing of its edges.
TEST(SimulateScan, SheppLoganSliceReturnsItsVoxelMeans) {
    constexpr double ringing = 0.12;  // relative rms of what a band of 64 cycles leaves out of edges of height 2
    SimulationOptions options;
    options.phantom = "shepp-logan";
    options.trajectory = "cartesian";
    options.request.matrix_size = {64, 64, 1};
    options.request.readout_oversampling = 1;
    options.coil_count = 1;
    options.snr = snr_without_noise;
    const Simulation simulation = simulate_scan(options);
    EXPECT_TRUE(simulation.scan.coil_maps.empty());
    const Frame& frame = simulation.scan.frames.front();
    std::vector<cdouble> image = direct_adjoint(*frame.trajectory, VoxelGrid::image({64, 64, 1}),
                                                std::vector<cdouble>(frame.kspace.begin(), frame.kspace.end()));
    for (cdouble& value : image) {
        value /= 64.0 * 64.0;
    }
    EXPECT_LT(test::relative_difference(image, {simulation.truth.begin(), simulation.truth.end()}), ringing);
}

TEST(SimulateScan, DescribesItself) {
    SimulationOptions options = small_scan();
    options.noise_sample_count = 50;
    const Simulation simulation = simulate_scan(options);
    const Scan& scan = simulation.scan;
    ASSERT_EQ(scan.frames.size(), 1U);
    const Frame& frame = scan.frames.front();
    EXPECT_EQ(scan.geometry.matrix_size, options.request.matrix_size);
    EXPECT_EQ(scan.coil_count, 3);
    EXPECT_EQ(frame.sample_count() % scan.samples_per_readout, 0);
    EXPECT_EQ(static_cast<Index>(frame.kspace.size()), 3 * frame.sample_count());
    EXPECT_EQ(static_cast<Index>(frame.sample_times_s.size()), frame.sample_count());
    EXPECT_EQ(scan.coil_maps.size(), 3U * 12 * 11 * 10);
    EXPECT_EQ(scan.noise.size(), 150U);
    EXPECT_EQ(simulation.truth.size(), 12U * 11 * 10);
    options.store_coil_maps = false;
    EXPECT_TRUE(simulate_scan(options).scan.coil_maps.empty());
}

TEST(SimulateScan, SeedAloneDecidesTheNoise) {
    SimulationOptions options = small_scan();
    const auto kspace = [&] { return simulate_scan(options).scan.frames.front().kspace; };
    const int before = omp_get_max_threads();
    omp_set_num_threads(1);
    const auto first = kspace();
    omp_set_num_threads(3);
    EXPECT_EQ(kspace(), first);
    omp_set_num_threads(before);
    options.seed = 2;
    EXPECT_NE(kspace(), first);
}

/// Difference of a noisy and a noiseless scan: its standard deviation is the one defined, to 5 of its own errors.
TEST(SimulateScan, NoiseHasTheDefinedStrength) {
    SimulationOptions options = small_scan();
    options.snr = 10;
    const Simulation noisy = simulate_scan(options);
    options.snr = snr_without_noise;
    const Simulation clean = simulate_scan(options);
    EXPECT_EQ(clean.noise_standard_deviation, 0);
    double mean = 0;
    Index count = 0;
    float largest = 0;
    for (const cfloat& value : clean.truth) {
        largest = std::max(largest, std::abs(value));
    }
    for (const cfloat& value : clean.truth) {
        if (std::abs(value) > 0.1 * static_cast<double>(largest)) {
            mean += std::abs(value);
            ++count;
        }
    }
    mean /= static_cast<double>(count);
    const double expected = mean * std::sqrt(12.0 * 11 * 10) / 10;
    EXPECT_NEAR(noisy.noise_standard_deviation, expected, 1e-6 * expected);
    const auto& a = noisy.scan.frames.front().kspace;
    const auto& b = clean.scan.frames.front().kspace;
    double energy = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
        energy += std::norm(cdouble(a[i]) - cdouble(b[i]));
    }
    // |n|^2 is exponential: its mean over n samples has the relative error 1/sqrt(n), its root half of that.
    const auto samples = static_cast<double>(a.size());
    EXPECT_NEAR(std::sqrt(energy / samples) / expected, 1, 5 * 0.5 / std::sqrt(samples));
}

TEST(Noise, IsWhiteGaussianAndCircular) {
    constexpr Index count = 200000;
    const double error = 1 / std::sqrt(static_cast<double>(count));
    std::vector<cfloat> noise(count);
    add_noise(noise, 2, 7, 0);
    cdouble mean = 0;
    cdouble pseudo = 0;
    cdouble neighbour = 0;
    double second = 0;
    double fourth = 0;
    for (Index i = 0; i < count; ++i) {
        const cdouble value = cdouble(noise[i]) / 2.0;
        mean += value;
        pseudo += value * value;
        second += std::norm(value);
        fourth += std::norm(value) * std::norm(value);
        neighbour += std::conj(value) * cdouble(noise[(i + 1) % count]) / 2.0;
    }
    const double n = count;
    EXPECT_LT(std::abs(mean) / n, 5 * error);
    EXPECT_LT(std::abs(pseudo) / n, 5 * std::sqrt(2.0) * error);  // E z^2 = 0, E|z|^4 = 2
    EXPECT_NEAR(second / n, 1, 5 * error);
    EXPECT_NEAR(fourth / n, 2, 5 * std::sqrt(20.0) * error);  // Var |z|^4 = 4! - 2^2
    EXPECT_LT(std::abs(neighbour) / n, 5 * error);
    std::vector<cfloat> other(count);
    add_noise(other, 2, 7, 1);
    EXPECT_NE(noise, other);
}

TEST(SimulateScan, RefusesNumbersOutOfRange) {
    const auto refused = [](auto change, const char* option) {
        SimulationOptions options = small_scan();
        change(options);
        test::expect_error<UsageError>([&] { simulate_scan(options); }, {option});
    };
    refused([](auto& o) { o.coil_count = 0; }, "`coils`");
    refused([](auto& o) { o.snr = 0; }, "`snr`");
    refused([](auto& o) { o.snr = std::nan(""); }, "`snr`");
    refused([](auto& o) { o.edge_voxels = -1; }, "`edge`");
    refused([](auto& o) { o.noise_sample_count = -1; }, "`noise_samples`");
    refused([](auto& o) { o.request.matrix_size = {1, 1, 1}; }, "`trajectory`");
}

}  // namespace
}  // namespace recon
