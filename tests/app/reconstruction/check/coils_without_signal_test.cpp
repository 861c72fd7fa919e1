#include "app/reconstruction/check/coils/coils_without_signal.hpp"

#include <gtest/gtest.h>

#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

Scan series_of_five_coils() {
    SimulationOptions options;
    options.trajectory = "golden-radial";
    options.request.matrix_size = {48, 48, 1};
    options.coil_count = 5;
    options.frame_count = 3;
    options.snr = 30;
    return simulate_scan(options).scan;
}

std::vector<Index> without_signal(const Scan& scan) {
    const Frame& first = scan.frames[0];
    return coils_without_signal(
        scan, first,
        coil_noise({scan, first.kspace}, *first.trajectory, scan.geometry.matrix_size, scan.samples_per_readout));
}

void scale(Frame& frame, Index coil, float factor) {
    const Index length = frame.sample_count();
    for (Index m = coil * length; m < (coil + 1) * length; ++m) {
        frame.kspace[static_cast<std::size_t>(m)] *= factor;
    }
}

TEST(CoilsWithoutSignal, AreSoInTheFirstAndTheLastFrame) {
    Scan scan = series_of_five_coils();
    EXPECT_TRUE(without_signal(scan).empty());
    scale(scan.frames[0], 2, 1e-4F);
    EXPECT_TRUE(without_signal(scan).empty());
    scale(scan.frames[2], 2, 1e-4F);
    EXPECT_EQ(without_signal(scan), std::vector<Index>{2});
    scan.frames.resize(1);
    EXPECT_EQ(without_signal(scan), std::vector<Index>{2});
}

TEST(CoilsWithoutSignal, AreNotThoseOfZeros) {
    Scan scan = series_of_five_coils();
    scale(scan.frames[0], 1, 0);
    scale(scan.frames[2], 1, 0);
    EXPECT_TRUE(without_signal(scan).empty());
}

}  // namespace
}  // namespace recon
