#include "app/reconstruction/check/reading_judgement.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

/// As of a bright point in a dark object, one coil, SNR 3: another unit keeps the centre of k-space alone, where the
/// signal is.
TEST(ReadingJudgement, NothingOfOtherSamplesIsBetterThanAScanAtTheNoise) {
    ScanCheck check;
    check.residual = 0.9584;
    check.noise = 0.9668;
    check.samples_per_voxel = 4;
    check.trials.push_back({parse_scan_fixes("scale=6.28319").front(), 0.7041, 0.71, 1.5});
    judge_readings(true, check);
    EXPECT_EQ(check.verdict, CheckVerdict::fine);

    check.verdict = CheckVerdict::fine;
    check.residual = 1.2 * check.noise;  // the same readings, of a scan that its noise does not explain
    check.findings.clear();
    judge_readings(true, check);
    EXPECT_EQ(check.verdict, CheckVerdict::doubtful);
    EXPECT_EQ(check.findings.front().fix, "scale=6.28319");
}

}  // namespace
}  // namespace recon
