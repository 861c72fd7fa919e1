#include "data/simulation/simulate_series.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/base/error.hpp"
#include "data/simulation/phantom_object.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

SimulationOptions options_of(Index frame_count, const std::string& trajectory) {
    SimulationOptions options;
    options.request.matrix_size = {20, 18, 1};
    options.trajectory = trajectory;
    options.request.undersampling = 2;
    options.coil_count = 2;
    options.frame_count = frame_count;
    options.snr = std::numeric_limits<double>::infinity();
    return options;
}

TEST(SimulateSeries, FramesGoFromOneContrastToTheOther) {
    const Simulation series = simulate_scan(options_of(3, "radial"));
    SimulationOptions one = options_of(1, "radial");
    const Simulation first = simulate_scan(one);
    one.phantom = "sodium";
    one.edge_voxels = phantom_kinds().get("brain").edge_voxels;  // as rounded as the first
    const Simulation last = simulate_scan(one);
    ASSERT_EQ(series.scan.frames.size(), 3U);
    const Index voxels = 20 * 18;
    ASSERT_EQ(static_cast<Index>(series.truth.size()), 3 * voxels);
    EXPECT_EQ(series.scan.frames[0].kspace, first.scan.frames[0].kspace);
    EXPECT_EQ(series.scan.frames[2].kspace, last.scan.frames[0].kspace);
    EXPECT_EQ(series.scan.frames[0].trajectory, series.scan.frames[2].trajectory);
    for (Index n = 0; n < voxels; ++n) {
        EXPECT_EQ(series.truth[n], first.truth[n]);
        EXPECT_NEAR(std::abs(series.truth[voxels + n] - (first.truth[n] + last.truth[n]) / 2.0F), 0, 1e-6);
        EXPECT_EQ(series.truth[2 * voxels + n], last.truth[n]);
    }
    for (Index t = 0; t < 3; ++t) {
        EXPECT_EQ(series.scan.frames[t].label.repetition, t);
    }
}

/// Golden angles go on from frame to frame: all of them together are those of one long scan.
TEST(SimulateSeries, GoldenReadoutsGoOnFromFrameToFrame) {
    const Simulation series = simulate_scan(options_of(4, "golden-radial"));
    SimulationOptions whole = options_of(1, "golden-radial");
    whole.request.readouts = 4 * series.design.readout_count;
    const Simulation one = simulate_scan(whole);
    std::vector<double> kx;
    for (const Frame& frame : series.scan.frames) {
        EXPECT_EQ(frame.sample_count(), one.scan.frames[0].sample_count() / 4);
        EXPECT_EQ(static_cast<Index>(frame.kspace.size()), 2 * frame.sample_count());
        EXPECT_EQ(static_cast<Index>(frame.sample_times_s.size()), frame.sample_count());
        kx.insert(kx.end(), frame.trajectory->k[0].begin(), frame.trajectory->k[0].end());
    }
    EXPECT_EQ(kx, one.scan.frames[0].trajectory->k[0]);
    const Frame& first = series.scan.frames[0];
    for (Index coil = 0; coil < 2; ++coil) {
        EXPECT_EQ(first.kspace[coil * first.sample_count() + 5],
                  one.scan.frames[0].kspace[coil * one.scan.frames[0].sample_count() + 5]);
    }
}

TEST(SimulateSeries, FramesHaveNoiseOfTheirOwn) {
    SimulationOptions options = options_of(2, "radial");
    const Simulation clean = simulate_scan(options);
    options.snr = 10;
    const Simulation noisy = simulate_scan(options);
    EXPECT_GT(noisy.noise_standard_deviation, 0);
    EXPECT_NE(noisy.scan.frames[0].kspace[3] - clean.scan.frames[0].kspace[3],
              noisy.scan.frames[1].kspace[3] - clean.scan.frames[1].kspace[3]);
}

TEST(SimulateSeries, RefusesWhatCannotBe) {
    SimulationOptions options = options_of(2, "radial");
    options.phantom = "shepp-logan";
    test::expect_error<UsageError>([&] { simulate_scan(options); }, {"`frames`", "brain"});
    test::expect_error<UsageError>([&] { simulate_scan(options_of(0, "radial")); }, {"`frames`: 0"});
}

}  // namespace
}  // namespace recon
