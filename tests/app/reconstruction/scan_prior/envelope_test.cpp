// The object is not everywhere in the field of view, and the prior learns where (docs/default-image.md).
#include <algorithm>
#include <memory>

#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"

namespace recon {
namespace {

constexpr Index small = 40;

/// A head in the middle half of a field twice as wide along x and y as the one it was simulated in.
Simulation in_wide_field(const test::Case& c) {
    Simulation result = test::simulate(c);
    Scan& scan = result.scan;
    for (int axis = 0; axis < 2; ++axis) {
        scan.geometry.matrix_size[axis] *= 2;
        scan.geometry.field_of_view_mm[axis] *= 2;
    }
    auto wide = std::make_shared<Trajectory>(*scan.frames.front().trajectory);
    for (int axis = 0; axis < 2; ++axis) {
        for (double& k : wide->k[axis]) {
            k *= 2;
        }
    }
    scan.frames.front().trajectory = wide;
    std::vector<cfloat> truth(static_cast<std::size_t>(4 * small * small));
    for (Index y = 0; y < small; ++y) {
        std::copy_n(&result.truth[static_cast<std::size_t>(y * small)], small,
                    &truth[static_cast<std::size_t>((y + small / 2) * 2 * small + small / 2)]);
    }
    result.truth = std::move(truth);
    return result;
}

/// Noise of SNR 10, and aliases of readouts that are too few for the wide field.
TEST(Envelope, BringsTheImageNearerWhereTheFieldIsWide) {
    double error = 0;
    for (const unsigned seed : {3U, 4U, 5U}) {
        const Simulation simulation =
            in_wide_field({.trajectory = "spiral", .matrix = {small, small, 1}, .seed = seed});
        const FrameResult result = test::reconstructed(simulation.scan, test::with(ScanPrior::scan));
        error += test::error_of(result.image, simulation) / 3;
        EXPECT_NEAR(result.scan->predicted_error / test::error_of(result.image, simulation), 1, 0.8);
    }
    EXPECT_LT(error, 0.09);  // 0.066; 0.126 without an envelope
}

}  // namespace
}  // namespace recon
