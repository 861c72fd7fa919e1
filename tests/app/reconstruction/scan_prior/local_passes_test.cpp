// How many local passes there are, and how much of them is in the image (docs/default-image.md).
#include <cmath>
#include <random>

#include "app/reconstruction/scan_prior/scan_prior_report.hpp"
#include "app/reconstruction/scan_prior/scan_resolution.hpp"
#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"

namespace recon {
namespace {

using test::Case;
using test::error_of;
using test::reconstructed;
using test::simulate;
using test::with;

/// Spirals with a third of the readouts and more noise than detail: edges that the image of the spectrum shows are
/// aliases as well, and the residual says so. Either image alone is further from the truth than what is taken of both.
TEST(LocalShare, IsAPartWhereTheNoiseDoubtsThePass) {
    for (const double snr : {3.0, 4.0}) {
        SCOPED_TRACE(snr);
        const Simulation simulation =
            simulate({.trajectory = "spiral", .matrix = {64, 64, 1}, .coils = 8, .snr = snr, .undersampling = 3});
        const FrameResult spectrum = reconstructed(simulation.scan, with(ScanPrior::spectrum));
        const FrameResult scan = reconstructed(simulation.scan, with(ScanPrior::scan));
        const double share = scan.scan->local_share;
        EXPECT_GT(share, 0.05);
        EXPECT_LT(share, 0.95);
        EXPECT_EQ(scan_prior_record(*scan.scan)["local_share"], share);
        EXPECT_EQ(spectrum.scan->local_share, 1);
        const double error = error_of(scan.image, simulation);
        EXPECT_LT(error, error_of(spectrum.image, simulation));
        std::vector<cfloat> pass(scan.image.size());
        for (std::size_t i = 0; i < pass.size(); ++i) {
            pass[i] = spectrum.image[i] + (scan.image[i] - spectrum.image[i]) / static_cast<float>(share);
        }
        EXPECT_LT(error, error_of(pass, simulation));
        EXPECT_NEAR(scan.scan->predicted_error / error, 1, 0.45);
    }
}

TEST(LocalShare, IsAllWhereTheDataDecide) {
    for (const Case& c : {Case{.matrix = {64, 64, 1}}, Case{.matrix = {64, 64, 1}, .coils = 4, .snr = 30},
                          Case{.matrix = {64, 64, 1}, .coils = 8, .snr = 30, .undersampling = 3}}) {
        EXPECT_EQ(reconstructed(simulate(c).scan, with(ScanPrior::scan)).scan->local_share, 1);
    }
}

TEST(MixedWidth, AddsDegreesOfFreedom) {
    for (const Index axes : {1, 2, 3}) {
        EXPECT_DOUBLE_EQ(mixed_width(3, 2, 0, axes), 3);
        EXPECT_DOUBLE_EQ(mixed_width(3, 2, 1, axes), 2);
        const double half = mixed_width(3, 2, 0.5, axes);
        const auto freedom = [&](double width) { return std::pow(width, -static_cast<double>(axes)); };
        EXPECT_NEAR(freedom(half), (freedom(3) + freedom(2)) / 2, 1e-12);
    }
}

/// Few samples of few coils: the first pass moves the image by more than half of its error, and it is read again.
TEST(LocalPasses, GoOnWhileTheyMoveTheImageFar) {
    for (unsigned seed = 1; seed <= 6; ++seed) {
        const Simulation scan = simulate({"spiral", {96, 96, 1}, 2, 30, 3, seed});
        const FrameResult result = reconstructed(scan.scan, with(ScanPrior::scan));
        EXPECT_GE(result.scan->local_passes, 2) << seed;
        EXPECT_LT(error_of(result.image, scan), 0.082) << seed;  // 0.06 to 0.08; 0.084 to 0.086 without an envelope
    }
    const Simulation sampled = simulate({"radial", {64, 64, 1}, 1, 100});
    EXPECT_LE(reconstructed(sampled.scan, with(ScanPrior::scan)).scan->local_passes, 2);
}

/// A field map with voxels that are wrong: no others can explain what these do, and each pass lets them grow.
TEST(LocalPasses, ThatRunAwayAreNotTaken) {
    SimulationOptions simulated;
    simulated.phantom = "tissue";
    simulated.trajectory = "spiral";
    simulated.request.matrix_size = {96, 96, 1};
    simulated.request.dwell_time_s = 5e-6;
    simulated.coil_count = 8;
    simulated.snr = 50;
    simulated.seed = 3;
    simulated.off_resonance = {100, 0};
    Simulation simulation = simulate_scan(simulated);
    std::mt19937 random(1);
    for (int i = 0; i < 100; ++i) {
        simulation.scan.off_resonance_hz[random() % (96 * 96)] += random() % 2 == 0 ? 3000.0F : -3000.0F;
    }
    const auto with_map = [](ScanPrior prior) {
        ReconstructOptions options = with(prior);
        options.off_resonance.correct = true;
        return options;
    };
    const FrameResult spectrum = reconstructed(simulation.scan, with_map(ScanPrior::spectrum));
    const FrameResult scan = reconstructed(simulation.scan, with_map(ScanPrior::scan));
    EXPECT_LT(scan.scan->local_passes, 3);
    EXPECT_LT(error_of(scan.image, simulation), error_of(spectrum.image, simulation));
}

}  // namespace
}  // namespace recon
