#include "app/reconstruction/check/left_out_samples.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "data/simulation/simulate_scan.hpp"

namespace recon {
namespace {

TEST(LeftOutSamples, AreLookedForInEveryFrame) {
    SimulationOptions options;
    options.trajectory = "golden-radial";
    options.request.matrix_size = {48, 48, 1};
    options.coil_count = 5;
    options.frame_count = 3;
    Scan scan = simulate_scan(options).scan;
    for (Frame& frame : scan.frames) {
        const std::vector<cfloat> kspace = frame.kspace;
        const Index length = frame.sample_count(), readout = scan.samples_per_readout;
        frame.read_kspace = [kspace, length, readout, is_second = frame.label.repetition == 1] {
            std::vector<cfloat> read = kspace;
            for (Index coil = 0; is_second && coil < 5; ++coil) {
                std::fill_n(read.begin() + coil * length, 2 * readout, cfloat(0));
            }
            return read;
        };
        frame.kspace.clear();
    }
    const Index count = scan.frames[0].sample_count(), readout = scan.samples_per_readout;
    scan.frames[0].load();
    const LeftOutSamples result = leave_out_unmeasured(scan);
    EXPECT_EQ(scan.frames[0].sample_count(), count);
    EXPECT_EQ(scan.frames[1].sample_count(), count - 2 * readout);
    scan.frames[1].load();
    EXPECT_EQ(std::ssize(scan.frames[1].kspace), 5 * (count - 2 * readout));
    ASSERT_EQ(result.texts.size(), 1U);
    EXPECT_NE(result.texts[0].find("of frame 1 are zero throughout"), std::string::npos) << result.texts[0];
}

}  // namespace
}  // namespace recon
