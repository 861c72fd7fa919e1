#include "app/reconstruction/coils/coil_whitening.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/reconstruction/reconstruction.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/random.hpp"
#include "tests/support/scans/coil_gain.hpp"

namespace recon {
namespace {

Scan scan_of(float gain, bool with_maps) {
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = {48, 48, 1};
    options.coil_count = 6;
    options.snr = 20;
    Scan scan = simulate_scan(options).scan;
    test::multiply_coil(scan, 2, gain);
    if (!with_maps) {
        scan.coil_maps.clear();
    }
    return scan;
}

std::vector<cdouble> image_of(Scan scan) {
    ReconstructOptions options;
    options.measure_accuracy = false;
    RunControl control;
    const std::vector<cfloat> image = reconstruct(scan, test::cpu_team(1), options, control).front().image;
    return {image.begin(), image.end()};
}

/// Magnitudes, of one mean.
std::vector<cdouble> shape_of(const std::vector<cdouble>& image) {
    double sum = 0;
    for (const cdouble value : image) {
        sum += std::abs(value);
    }
    std::vector<cdouble> shape;
    for (const cdouble value : image) {
        shape.push_back(std::abs(value) * static_cast<double>(image.size()) / sum);
    }
    return shape;
}

TEST(CoilWhitening, IsByTheEdgesOfKspaceWhereNoiseDiffersByFar) {
    Scan alike = scan_of(1, true), uneven = scan_of(50, true);
    EXPECT_FALSE(whitening_by_kspace(alike, {}, false));
    EXPECT_TRUE(whitening_by_kspace(uneven, {}, false));
    CoilOptions refused;
    refused.prewhiten = false;
    EXPECT_FALSE(whitening_by_kspace(uneven, refused, false));
}

/// Else what rounding leaves of a dead coil would be told to be all that its map sees of the object.
TEST(CoilWhitening, LeavesQuietCoilsAsTheyAre) {
    Scan scan = scan_of(1, true);
    test::multiply_coil(scan.frames.front().kspace, scan.coil_count, 2, 1e-6F);
    EXPECT_FALSE(whitening_by_kspace(scan, {}, false));
    test::multiply_coil(scan.frames.front().kspace, scan.coil_count, 4, 50);
    const auto scaling = whitening_by_kspace(scan, {}, false);
    ASSERT_TRUE(scaling);
    std::vector<cfloat> ones(6, 1);  // one element of each coil
    scaling->apply(ones);
    EXPECT_LT(std::abs(ones[2]), 1.5F * std::abs(ones[0]));
    EXPECT_LT(std::abs(ones[4]), 0.05F * std::abs(ones[0]));
}

/// As with the same gain of all.
TEST(CoilWhitening, ACoilOfManyTimesTheGainDoesNotSpoilTheImage) {
    for (const bool with_maps : {true, false}) {
        const std::vector<cdouble> expected = shape_of(image_of(scan_of(1, with_maps)));
        EXPECT_LT(test::relative_difference(shape_of(image_of(scan_of(50, with_maps))), expected), 0.02) << with_maps;
    }
}

/// Coils that hear each other and are not equally good, [coil coil] row-major; the scan has no noise of its own.
const std::vector<double> uneven{1, 0, 0, 0, 0, 0, 0.5, 0.8, 0, 0, 0, 0, 0,   0,   3, 0, 0, 0,
                                 0, 0, 0, 1, 0, 0, 0.7, 0,   0, 0, 1, 0, 0.5, 0.4, 0, 0, 0, 0.6};

/// n[coil] = sum_i uneven[coil, i] w_i, w white of variance 1; [sample coil].
std::vector<cdouble> uneven_noise(Index count, unsigned seed) {
    const std::vector<cdouble> white = test::random_values(6 * count, seed);
    std::vector<cdouble> noise(white.size());
    for (Index to = 0; to < 6; ++to) {
        for (Index from = 0; from < 6; ++from) {
            for (Index m = 0; m < count; ++m) {
                noise[static_cast<std::size_t>(to * count + m)] +=
                    uneven[static_cast<std::size_t>(6 * to + from)] * white[static_cast<std::size_t>(from * count + m)];
            }
        }
    }
    return noise;
}

Scan with_uneven_noise(bool with_maps, bool with_noise_scan) {
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = {48, 48, 1};
    options.coil_count = 6;
    options.snr = std::numeric_limits<double>::infinity();
    Scan scan = simulate_scan(options).scan;
    std::vector<cfloat> kspace(scan.frames.front().kspace.begin(), scan.frames.front().kspace.end());
    double largest = 0;
    for (const cfloat value : kspace) {
        largest = std::max<double>(largest, std::abs(value));
    }
    const double sigma = 0.01 * largest;
    const std::vector<cdouble> noise = uneven_noise(std::ssize(kspace) / 6, 7);
    std::ranges::transform(kspace, noise, kspace.begin(),
                           [sigma](cfloat value, cdouble added) { return value + cfloat(sigma * added); });
    scan.frames.front().kspace = std::move(kspace);
    if (!with_maps) {
        scan.coil_maps.clear();
    }
    if (with_noise_scan) {
        for (const cdouble value : uneven_noise(2000, 8)) {
            scan.noise.emplace_back(sigma * value);
        }
    }
    return scan;
}

TEST(CoilWhitening, IsByTheReadoutsWhereTheyTellTheNoise) {
    for (const bool with_maps : {true, false}) {
        const std::vector<cdouble> expected = image_of(with_uneven_noise(with_maps, true));
        EXPECT_LT(test::relative_difference(image_of(with_uneven_noise(with_maps, false)), expected), 0.03)
            << with_maps;
        Scan uneven_scan = with_uneven_noise(with_maps, false);
        ReconstructOptions options;
        options.measure_accuracy = false;
        options.coils.prewhiten = false;
        RunControl control;
        const std::vector<cfloat> unwhitened =
            reconstruct(uneven_scan, test::cpu_team(1), options, control).front().image;
        EXPECT_GT(test::relative_difference({unwhitened.begin(), unwhitened.end()}, expected), 0.05) << with_maps;
    }
}

/// Whatever is known of the noise: as bright as the root sum of squares of the coils that were measured.
TEST(CoilWhitening, ChangesNoShading) {
    const std::vector<cdouble> quiet = image_of(scan_of(1, false));
    const std::vector<cdouble> whitened = image_of(with_uneven_noise(false, true));
    double product = 0, of_whitened = 0, of_quiet = 0;
    for (std::size_t i = 0; i < quiet.size(); ++i) {
        product += std::abs(quiet[i]) * std::abs(whitened[i]);
        of_whitened += std::norm(whitened[i]);
        of_quiet += std::norm(quiet[i]);
    }
    EXPECT_GT(product / std::sqrt(of_whitened * of_quiet), 0.995);
    EXPECT_NEAR(product / of_quiet, 1, 0.03);
}

}  // namespace
}  // namespace recon
