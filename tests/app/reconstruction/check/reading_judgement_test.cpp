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

/// As of a rosette of 20 ms in a field of 80 Hz: the fits know nothing of the field.
TEST(ReadingJudgement, WhatAFieldMapMayExplainIsNoDoubt) {
    ScanCheck check;
    check.residual = 0.65;
    check.noise = 0.06;
    check.samples_per_voxel = 20;
    ScanCheck of_no_field = check;
    judge_readings(true, check, true);
    EXPECT_EQ(check.verdict, CheckVerdict::fine);
    EXPECT_EQ(check.findings.front().kind, "cannot_tell");
    judge_readings(true, of_no_field, false);
    EXPECT_EQ(of_no_field.verdict, CheckVerdict::doubtful);
    EXPECT_EQ(of_no_field.findings.front().kind, "residual");
}

/// As of a 2-D scan from the centre out, two coils, SNR 20: the centre alone has less noise, and lies further from it.
TEST(ReadingJudgement, NorIsOneThatIsFurtherFromItsNoise) {
    ScanCheck check;
    check.residual = 0.1956;
    check.noise = 0.1814;
    check.samples_per_voxel = 12;
    check.trials.push_back({parse_scan_fixes("scale=2").front(), 0.1075, 0.0934, 6});
    judge_readings(true, check);
    EXPECT_EQ(check.verdict, CheckVerdict::fine);
}

/// As of a rosette, two coils of unequal gain, SNR 35, and of one coil at random positions, its object in the middle of
/// the field of view: what such readings leave is less by itself.
TEST(ReadingJudgement, ALittleLessOfOtherSamplesIsNoFinding) {
    ScanCheck check;
    check.residual = 0.142;
    check.noise = 0.054;
    check.samples_per_voxel = 20;
    check.trials.push_back({parse_scan_fixes("scale=2").front(), 0.1014, 0.0266, 10});
    judge_readings(true, check);
    EXPECT_EQ(check.verdict, CheckVerdict::fine);

    ScanCheck of_one_coil;
    of_one_coil.residual = 0.0955;
    of_one_coil.noise = 0.022;
    of_one_coil.samples_per_voxel = 1;
    of_one_coil.trials.push_back({parse_scan_fixes("scale=0.5").front(), 0.0392, 0.0419, 6});
    judge_readings(false, of_one_coil);
    EXPECT_EQ(of_one_coil.verdict, CheckVerdict::fine);
}

/// As of a 3-D radial scan with 18 voxels an axis, 12 coils without maps, SNR 35, where as many samples stay in the
/// band.
TEST(ReadingJudgement, ASmallerKThatIsALittleNearerTheNoiseIsNoFinding) {
    ScanCheck check;
    check.residual = 0.3073;
    check.noise = 0.2875;
    check.samples_per_voxel = 26;
    check.trials.push_back({parse_scan_fixes("scale=0.5").front(), 0.3294, 0.3231, 26.2});
    judge_readings(false, check);
    EXPECT_EQ(check.verdict, CheckVerdict::fine);
}

/// As of one of 12 x 14 x 16 voxels, two coils, SNR 100: maps of the centre of k-space are those of a larger part of
/// it.
TEST(ReadingJudgement, ASmallerKHasMapsThatExplainMore) {
    ScanCheck check;
    check.residual = 0.1691;
    check.noise = 0.0393;
    check.samples_per_voxel = 9.5;
    check.trials.push_back({parse_scan_fixes("scale=0.5").front(), 0.1007, 0.0428, 9.6});
    judge_readings(false, check);
    EXPECT_EQ(check.verdict, CheckVerdict::fine);

    check.findings.clear();
    judge_readings(true, check);  // maps that are known are the same whatever k is
    EXPECT_EQ(check.verdict, CheckVerdict::doubtful);
}

/// As of a 3-D radial scan of 16 coils at SNR 15 whose k is too large by 2 pi: of the centre of k-space that was kept
/// little is noise, of the right reading nearly all that it leaves.
TEST(ReadingJudgement, AReadingAtTheNoiseMayLeaveMore) {
    ScanCheck check;
    check.residual = 0.215;
    check.noise = 0.043;
    check.samples_per_voxel = 4.2;
    check.trials.push_back({parse_scan_fixes("scale=0.5").front(), 0.253, 0.099, 8.5});
    check.trials.push_back({parse_scan_fixes("scale=0.159155").front(), 0.391, 0.4, 25});
    judge_readings(true, check);
    EXPECT_EQ(check.verdict, CheckVerdict::doubtful);
    EXPECT_EQ(check.findings.front().fix, "scale=0.159155");
}

/// As where two of eight maps are exchanged, and the order of the others is that of the coils.
TEST(ReadingJudgement, WhatNothingExplainsIsSaid) {
    ScanCheck check;
    check.residual = 0.428;
    check.noise = 0.051;
    judge_readings(true, check);
    remark_on_rest(true, check);
    EXPECT_EQ(check.verdict, CheckVerdict::fine);
    ASSERT_EQ(check.findings.size(), 1);
    EXPECT_EQ(check.findings.front().kind, "cannot_tell");
    EXPECT_NE(check.findings.front().text.find("42 % of the data"), std::string::npos);

    check.findings.clear();
    check.residual = 0.07;  // the detail that the low resolution lacks
    judge_readings(true, check);
    remark_on_rest(true, check);
    EXPECT_TRUE(check.findings.empty());
}

/// As of half spokes at SNR 3: a place earlier there is more signal at the centre, beside as much noise.
TEST(ReadingJudgement, AnotherOrderThatLeavesAsMuchNoiseIsNoBetter) {
    ScanCheck check;
    check.residual = 0.557;
    check.noise = 0.562;
    check.samples_per_voxel = 10;
    check.trials.push_back({parse_scan_fixes("shift=1").front(), 0.3952, 0.3958, 10});
    judge_readings(true, check);
    EXPECT_EQ(check.verdict, CheckVerdict::fine);
}

/// As of a spiral, four coils, one map of the opposite sign: signal that goes to the rim of k-space leaves its centre
/// to noise.
TEST(ReadingJudgement, AnOrderOfSamplesThatLeavesNoiseExplainsNothing) {
    ScanCheck check;
    check.residual = 0.45;
    check.noise = 0.05;
    check.samples_per_voxel = 10;
    check.trials.push_back({parse_scan_fixes("reverse=all").front(), 0.53, 0.8, 10});
    judge_readings(true, check);
    EXPECT_EQ(check.verdict, CheckVerdict::fine);
}

}  // namespace
}  // namespace recon
