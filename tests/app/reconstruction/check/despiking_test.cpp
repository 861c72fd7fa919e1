#include "app/reconstruction/check/despiking.hpp"

#include <gtest/gtest.h>

#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

Scan despiking_scan() {
    SimulationOptions options;
    options.request.matrix_size = {48, 48, 1};
    options.trajectory = "radial";
    options.coil_count = 4;
    options.snr = 30;
    return simulate_scan(options).scan;
}

TEST(Despiking, OfLaterFramesLeavesTheFirstAsItIs) {
    Scan scan = despiking_scan();
    scan.frames.push_back(scan.frames[0]);
    scan.frames[1].label.repetition = 1;
    const Index count = scan.frames[0].sample_count();
    scan.frames[1].kspace[3] = cfloat(1e5F, 0);
    std::vector<std::string> applied;
    const std::vector<CheckFinding> findings = despike(scan, Mending::automatic, applied);
    EXPECT_EQ(scan.frames[0].sample_count(), count);
    EXPECT_EQ(scan.frames[1].sample_count(), count - 1);
    ASSERT_EQ(findings.size(), 1U);
    EXPECT_EQ(findings[0].kind, "spike");
    EXPECT_NE(findings[0].text.find("samples of frame 1 stand out"), std::string::npos) << findings[0].text;
    EXPECT_EQ(applied.size(), 1U);
}

TEST(Despiking, ThatWasAskedForIsNoFinding) {
    Scan scan = despiking_scan();
    const Index count = scan.frames[0].sample_count();
    scan.frames[0].kspace[3] = cfloat(1e5F, 0);
    std::vector<std::string> applied;
    EXPECT_TRUE(despike(scan, Mending::asked, applied).empty());
    EXPECT_EQ(scan.frames[0].sample_count(), count - 1);
    EXPECT_EQ(applied.size(), 1U);
}

}  // namespace
}  // namespace recon
