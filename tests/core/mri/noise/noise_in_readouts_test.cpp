// Noise of coils from the readouts themselves, beside that of the simulation.
#include "core/mri/noise/noise_in_readouts.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <random>

#include "core/mri/prewhitening.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

constexpr Index coils_of_noise = 4;

Scan noiseless_scan(const std::string& trajectory, double readout_oversampling) {
    SimulationOptions options;
    options.trajectory = trajectory;
    options.request.matrix_size = {64, 64, 1};
    options.request.readout_oversampling = readout_oversampling;
    options.coil_count = coils_of_noise;
    options.snr = std::numeric_limits<double>::infinity();
    return simulate_scan(options).scan;
}

/// Noise L w, w white of variance sigma^2. @param mixing  L, [coil coil], row-major
void add_mixed_noise(Scan& scan, double sigma, const std::vector<double>& mixing) {
    std::mt19937 generator(5);
    std::normal_distribution<double> normal(0, sigma / std::sqrt(2.0));
    std::vector<cfloat> kspace(scan.frames.front().kspace.begin(), scan.frames.front().kspace.end());
    const Index count = std::ssize(kspace) / coils_of_noise;
    for (Index m = 0; m < count; ++m) {
        for (Index from = 0; from < coils_of_noise; ++from) {
            const cdouble white(normal(generator), normal(generator));
            for (Index to = 0; to < coils_of_noise; ++to) {
                kspace[static_cast<std::size_t>(to * count + m)] +=
                    cfloat(mixing[static_cast<std::size_t>(to * coils_of_noise + from)] * white);
            }
        }
    }
    scan.frames.front().kspace = std::move(kspace);
}

double largest_magnitude(const Scan& scan) {
    double largest = 0;
    for (const cfloat value : scan.frames.front().kspace) {
        largest = std::max<double>(largest, std::abs(value));
    }
    return largest;
}

std::vector<cfloat> noise_found_in(const Scan& scan) {
    const Frame& frame = scan.frames.front();
    return noise_in_readouts(
        KspaceExcerpt::of({frame.kspace, coils_of_noise}, *frame.trajectory, scan.samples_per_readout, 1 << 14),
        scan.geometry.matrix_size);
}

const std::vector<double> uneven_mixing{1, 0, 0, 0, 0.5, 0.8, 0, 0, 0, 0, 3, 0, 0, 0, 0, 0.4};

TEST(NoiseInReadouts, HasTheCovarianceOfTheNoise) {
    for (const char* const trajectory : {"radial", "spiral"}) {
        Scan scan = noiseless_scan(trajectory, 2);
        const double sigma = 0.003 * largest_magnitude(scan);
        add_mixed_noise(scan, sigma, uneven_mixing);
        const std::vector<cfloat> noise = noise_found_in(scan);
        ASSERT_FALSE(noise.empty()) << trajectory;
        const std::vector<cdouble> covariance = noise_covariance(noise, coils_of_noise);
        for (Index row = 0; row < coils_of_noise; ++row) {
            for (Index column = 0; column < coils_of_noise; ++column) {
                double expected = 0;
                for (Index i = 0; i < coils_of_noise; ++i) {
                    expected += uneven_mixing[static_cast<std::size_t>(row * coils_of_noise + i)] *
                                uneven_mixing[static_cast<std::size_t>(column * coils_of_noise + i)];
                }
                const cdouble is =
                    covariance[static_cast<std::size_t>(column * coils_of_noise + row)] / (sigma * sigma);
                EXPECT_LT(std::abs(is - expected), row == column ? 0.1 * expected : 0.15)
                    << trajectory << " " << row << " " << column;
            }
        }
    }
}

TEST(NoiseInReadouts, IsUnknownWhereSignalReachesThere) {
    for (const double oversampling : {1.0, 1.3}) {
        Scan scan = noiseless_scan("radial", oversampling);
        add_mixed_noise(scan, 0.003 * largest_magnitude(scan), uneven_mixing);
        EXPECT_TRUE(noise_found_in(scan).empty()) << oversampling;
    }
}

TEST(NoiseInReadouts, IsUnknownOfRounding) { EXPECT_TRUE(noise_found_in(noiseless_scan("radial", 2)).empty()); }

/// A loud coil's noise hides what leaks from the signal of another in no sum: each is looked at by itself.
TEST(NoiseInReadouts, IsUnknownWhereOneCoilHasNone) {
    Scan scan = noiseless_scan("radial", 2);
    add_mixed_noise(scan, 0.003 * largest_magnitude(scan), {1, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1});
    EXPECT_TRUE(noise_found_in(scan).empty());
}

}  // namespace
}  // namespace recon
