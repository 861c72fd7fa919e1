// The noise of Cartesian scans of one coil with as many samples as voxels or fewer: nothing is measured twice, and the
// image can take every sample whole.
#include <cmath>

#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"

namespace recon {
namespace {

constexpr Index lines = 64;

/// Lines k_y >= `first` of a Cartesian scan.
Simulation cartesian(Index first, double snr) {
    Simulation simulation = test::simulate({"cartesian", {lines, lines, 1}, 1, snr});
    Frame& frame = simulation.scan.frames.front();
    auto trajectory = std::make_shared<Trajectory>();
    std::vector<cfloat> kspace;
    for (std::size_t s = 0; s < frame.kspace.size(); ++s) {
        if (frame.trajectory->k[1][s] >= static_cast<double>(first)) {
            kspace.push_back(frame.kspace[s]);
            for (int axis = 0; axis < 3; ++axis) {
                trajectory->k[axis].push_back(frame.trajectory->k[axis][s]);
            }
        }
    }
    frame.kspace = kspace;
    frame.trajectory = trajectory;
    frame.sample_times_s = {};
    frame.density_weights = {};
    return simulation;
}

struct NoiseOfFewSamples : ::testing::TestWithParam<Index> {};

TEST_P(NoiseOfFewSamples, IsNotTakenIntoTheImage) {
    for (const double snr : {60, 100, 200}) {
        const Simulation simulation = cartesian(GetParam(), snr);
        const FrameResult result = test::reconstructed(simulation.scan, test::with(ScanPrior::scan));
        const double found = result.scan->noise.sigma / simulation.noise_standard_deviation;
        EXPECT_GT(found, 0.5) << "SNR " << snr;
        EXPECT_LT(found, 2) << "SNR " << snr;
    }
}

INSTANTIATE_TEST_SUITE_P(FirstLines, NoiseOfFewSamples, ::testing::Values(-lines / 2, -8));

}  // namespace
}  // namespace recon
