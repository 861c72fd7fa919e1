// Coil maps as they were measured are largest beside the object, next to the elements: the image and what is told of
// its error are as without those voxels.
#include <gtest/gtest.h>

#include <cmath>

#include "app/reconstruction/reconstruction.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/cpu_team.hpp"

namespace recon {
namespace {

FrameResult image_of(Scan scan) {
    ReconstructOptions options;
    options.measure_accuracy = false;
    options.regularisation.scan = ScanPrior::spectrum;
    RunControl control;
    return std::move(reconstruct(scan, test::cpu_team(1), options, control).front());
}

TEST(CoilGain, IsThatOfTheObject) {
    SimulationOptions simulated;
    simulated.trajectory = "golden-radial";
    simulated.request.matrix_size = {48, 48, 1};
    simulated.coil_count = 4;
    simulated.snr = 15;
    const Simulation simulation = simulate_scan(simulated);
    Scan near_elements = simulation.scan;
    for (std::size_t i = 0; i < near_elements.coil_maps.size(); ++i) {
        const auto voxel = static_cast<Index>(i % simulation.truth.size());
        const double x = static_cast<double>(voxel % 48 - 24) / 48, y = static_cast<double>(voxel / 48 - 24) / 48;
        if (std::hypot(x, y) > 0.55) {
            ASSERT_LT(std::abs(simulation.truth[static_cast<std::size_t>(voxel)]), 1e-3) << "is air";
            near_elements.coil_maps[i] *= 10;
        }
    }
    const FrameResult even = image_of(simulation.scan), uneven = image_of(near_elements);
    ASSERT_TRUE(even.scan && uneven.scan);
    EXPECT_NEAR(uneven.scan->predicted_error / even.scan->predicted_error, 1, 0.3);
}

}  // namespace
}  // namespace recon
