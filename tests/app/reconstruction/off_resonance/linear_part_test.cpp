// A strong field gradient that is always on, as beside air or a badly shimmed phantom.
#include "app/reconstruction/off_resonance/linear_part.hpp"

#include <gmock/gmock.h>

#include "core/base/log_binding.hpp"
#include "core/mri/off_resonance/field_map.hpp"
#include "core/mri/off_resonance/linear_field.hpp"
#include "tests/app/reconstruction/scan_prior/scan_prior_cases.hpp"

namespace recon {
namespace {

constexpr double gradient_hz = 2000;  ///< Hz per field of view

Simulation in_a_gradient() {
    SimulationOptions options;
    options.phantom = "brain";
    options.trajectory = "spiral";
    options.request.matrix_size = {64, 64, 1};
    options.coil_count = 4;
    options.snr = 30;
    options.off_resonance = {60, 0};
    Simulation result = simulate_scan(options);
    // The samples were taken where the scanner's own gradients and this one led them.
    Scan& scan = result.scan;
    move_to_trajectory({0, {-gradient_hz, 0, 0}}, scan.off_resonance_hz, std::nullopt, scan);
    return result;
}

ReconstructOptions corrected(ScanPrior prior) {
    ReconstructOptions options = test::with(prior);
    options.off_resonance.correct = true;
    return options;
}

TEST(LinearPart, IsTakenOutWhereTheMapThenSpansLess) {
    Scan scan = in_a_gradient().scan;
    const auto span = [&] {
        return range_of(scan.off_resonance_hz).highest_hz - range_of(scan.off_resonance_hz).lowest_hz;
    };
    EXPECT_GT(span(), 0.9 * gradient_hz);
    Scan untouched = scan;
    encode_linear_part(untouched, {.correct = false});
    EXPECT_EQ(untouched.off_resonance_hz, scan.off_resonance_hz);
    EXPECT_EQ(untouched.frames[0].trajectory, scan.frames[0].trajectory);
    encode_linear_part(scan, corrected(ScanPrior::scan).off_resonance);
    EXPECT_LT(span(), 0.1 * gradient_hz);
    const auto moved = scan.frames[0].trajectory;
    encode_linear_part(scan, corrected(ScanPrior::scan).off_resonance);
    EXPECT_EQ(scan.frames[0].trajectory, moved) << "nothing is left to take";
}

/// The image is that of the scan whose linear part was moved by hand, bit by bit; the maps are written as they were.
TEST(LinearPart, IsTakenOutOfEveryReconstruction) {
    const Simulation simulation = in_a_gradient();
    const FrameResult result = test::reconstructed(simulation.scan, corrected(ScanPrior::scan));
    EXPECT_LT(test::error_of(result.image, simulation), 0.05);
    Scan moved = simulation.scan;
    encode_linear_part(moved, corrected(ScanPrior::scan).off_resonance);
    EXPECT_EQ(test::reconstructed(moved, corrected(ScanPrior::scan)).image, result.image);
    const auto written = std::ranges::find(result.extras, "off_resonance_hz", &NamedArray::name);
    ASSERT_NE(written, result.extras.end());
    EXPECT_EQ(std::get<std::vector<float>>(written->values), simulation.scan.off_resonance_hz);
}

}  // namespace
}  // namespace recon
