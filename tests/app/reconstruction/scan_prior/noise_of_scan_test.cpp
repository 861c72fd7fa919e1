// The noise to begin with, and what is found beside the spectrum.
#include <gtest/gtest.h>

#include "app/reconstruction/scan_prior/evidence/scan_statistics.hpp"
#include "app/reconstruction/scan_prior/scan_prior.hpp"
#include "data/simulation/simulate_scan.hpp"
#include "tests/support/prepared_problem.hpp"

namespace recon {
namespace {

Simulation brain_of_two_coils() {
    SimulationOptions options;
    options.trajectory = "golden-radial";
    options.request.matrix_size = {24, 24, 1};
    options.coil_count = 2;
    options.snr = 100;
    return simulate_scan(options);
}

/// What the outermost samples hold of the object is no noise.
TEST(NoiseOfScan, IsFoundWhereTheEdgesMissIt) {
    Simulation simulation = brain_of_two_coils();
    Scan& scan = simulation.scan;
    scan.samples_per_readout = 0;  // whose high frequencies would tell, and so would repeats of the centre
    auto beside_centre = std::make_shared<Trajectory>(*scan.frames.front().trajectory);
    for (double& k : beside_centre->k[0]) {
        k += 1e-4;
    }
    scan.frames.front().trajectory = beside_centre;
    test::PreparedProblem prepared(scan, {});
    const double truth = simulation.noise_standard_deviation;
    EXPECT_GT(first_noise(prepared.problem()).sigma, 1.2 * truth);
    EXPECT_NEAR(noise_of_scan(prepared.problem()).sigma / truth, 1, 0.1);
}

/// Where k-space can hold none of the object it is known from the start.
TEST(NoiseOfScan, IsThatOfTheReadoutsWhereTheseTell) {
    const Simulation simulation = brain_of_two_coils();
    test::PreparedProblem prepared(simulation.scan, {});
    EXPECT_NEAR(first_noise(prepared.problem()).sigma / simulation.noise_standard_deviation, 1, 0.1);
}

}  // namespace
}  // namespace recon
