// The error that is told, of objects and voxels that a spectrum of |k| and a mean over round voxels do not describe.
#include <gtest/gtest.h>

#include <limits>

#include "core/mri/check/dead_parts.hpp"
#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"

namespace recon {
namespace {

using namespace test;

double told_over_true(const SimulationOptions& options) {
    const Simulation simulation = simulate_scan(options);
    const FrameResult result = reconstructed(simulation.scan, with(ScanPrior::scan));
    return result.scan->predicted_error / error_of(result.image, simulation);
}

/// Voxels that are four times as long as wide, of an object that is as many times longer: its spectrum falls four times
/// as fast along z. It was told twice as wrong as it is.
TEST(PredictedError, IsThatOfLongVoxels) {
    SimulationOptions options;
    options.trajectory = "radial";
    options.request.matrix_size = {24, 24, 24};
    options.request.field_of_view_mm = {160, 160, 640};
    options.request.undersampling = 1;
    options.coil_count = 1;
    for (const double snr : {15.0, 60.0}) {
        options.snr = snr;
        EXPECT_NEAR(told_over_true(options), 1, 0.3) << snr;
    }
}

/// Without noise all of the error is that the image shows the object's own frequencies and not the means over voxels,
/// whose fine detail is fainter: it was told 0.7 times as wrong as it is.
TEST(PredictedError, CountsThatMeansOverVoxelsAreFainter) {
    SimulationOptions options;
    options.trajectory = "cartesian";
    options.request.matrix_size = {56, 48, 1};
    options.coil_count = 1;
    options.snr = std::numeric_limits<double>::infinity();
    for (const char* phantom : {"sodium", "shepp-logan"}) {
        options.phantom = phantom;
        EXPECT_NEAR(told_over_true(options), 1, 0.12) << phantom;
    }
}

/// Half of the coils of an array: the far side of the object is hardly seen, and no local pass helps there. It was told
/// half as wrong as it is.
TEST(PredictedError, CountsWhereCoilsHardlySee) {
    SimulationOptions options;
    options.trajectory = "spiral";
    options.request.matrix_size = {64, 64, 1};
    options.request.undersampling = 1;
    options.coil_count = 4;
    for (const double snr : {10.0, 30.0}) {
        options.snr = snr;
        Simulation simulation = simulate_scan(options);
        drop_coils(simulation.scan, {2, 3});
        const FrameResult result = reconstructed(simulation.scan, with(ScanPrior::scan));
        const double told = result.scan->predicted_error / error_of(result.image, simulation);
        EXPECT_GT(told, 0.6) << snr;
        EXPECT_LT(told, 1.3) << snr;
    }
}

}  // namespace
}  // namespace recon
