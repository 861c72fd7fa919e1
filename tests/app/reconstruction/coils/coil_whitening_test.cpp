#include "app/reconstruction/coils/coil_whitening.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "app/reconstruction/reconstruction.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

Scan scan_of(float gain, bool with_maps) {
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = {48, 48, 1};
    options.coil_count = 6;
    options.snr = 20;
    Scan scan = simulate_scan(options).scan;
    for (std::vector<cfloat>* const values : {&scan.coil_maps, &scan.frames.front().kspace}) {
        const auto length = static_cast<std::ptrdiff_t>(values->size()) / 6;
        std::transform(values->begin() + 2 * length, values->begin() + 3 * length, values->begin() + 2 * length,
                       [gain](cfloat value) { return gain * value; });
    }
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

/// As with the same gain of all.
TEST(CoilWhitening, ACoilOfManyTimesTheGainDoesNotSpoilTheImage) {
    for (const bool with_maps : {true, false}) {
        const std::vector<cdouble> expected = shape_of(image_of(scan_of(1, with_maps)));
        EXPECT_LT(test::relative_difference(shape_of(image_of(scan_of(50, with_maps))), expected), 0.02) << with_maps;
    }
}

}  // namespace
}  // namespace recon
