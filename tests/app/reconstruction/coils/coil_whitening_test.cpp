#include "app/reconstruction/coils/coil_whitening.hpp"

#include <gtest/gtest.h>

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
    EXPECT_FALSE(scaling_of(alike, {}));
    EXPECT_TRUE(scaling_of(uneven, {}));
    CoilOptions refused;
    refused.prewhiten = false;
    EXPECT_FALSE(scaling_of(uneven, refused));
}

/// Else what rounding leaves of a dead coil would be told to be all that its map sees of the object.
TEST(CoilWhitening, LeavesQuietCoilsAsTheyAre) {
    Scan scan = scan_of(1, true);
    test::multiply_coil(scan.frames.front().kspace, scan.coil_count, 2, 1e-6F);
    EXPECT_FALSE(scaling_of(scan, {}));
    test::multiply_coil(scan.frames.front().kspace, scan.coil_count, 4, 50);
    const auto scaling = scaling_of(scan, {});
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

}  // namespace
}  // namespace recon
