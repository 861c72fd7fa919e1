#include "app/reconstruction/scan_prior/scan_prior_report.hpp"

#include <gmock/gmock.h>

#include "core/base/log_binding.hpp"

namespace recon {
namespace {

using ::testing::HasSubstr;
using ::testing::Not;

std::string said_of(const ScanPriorReport& report) {
    Log log;
    const LogBinding bound(&log);
    log_scan_prior(report, true);
    std::string text;
    for (const std::string& line : log_history()) {
        text += line + "\n";
    }
    return text;
}

TEST(ScanPriorReportTest, NoiseIsBlamedOnlyWhereThereIsNoOtherError) {
    ScanPriorReport report;
    report.predicted_error = 1.06;
    EXPECT_THAT(said_of(report), HasSubstr("predicted error 106 %: there is hardly any signal above the noise"));
    report.model_error = 0.6;
    EXPECT_THAT(said_of(report), HasSubstr("60 % of the signal in k-space is neither image nor noise"));
    EXPECT_THAT(said_of(report), HasSubstr("predicted error 106 %"));
    EXPECT_THAT(said_of(report), Not(HasSubstr("hardly any signal")));
}

TEST(ScanPriorReportTest, AFlatSpectrumMayBeAnObjectOfPoints) {
    ScanPriorReport report;
    report.exponent = -0.1;
    report.predicted_error = 0.5;
    EXPECT_THAT(said_of(report), HasSubstr("as flat as that of noise"));
    report.exponent = -1.2;  // the flattest of 310 random scans
    EXPECT_THAT(said_of(report), Not(HasSubstr("as flat as that of noise")));
}

TEST(ScanPriorReportTest, AModelThatLeavesMostOfTheSignalIsADoubt) {
    ScanPriorReport report;
    report.model_error = 0.3;  // of real scans that are right
    EXPECT_TRUE(judge_model(report).empty());
    report.model_error = 0.64;
    ASSERT_EQ(judge_model(report).size(), 1U);
    EXPECT_EQ(verdict_of(judge_model(report)), CheckVerdict::doubtful);
    EXPECT_THAT(judge_model(report).front().text, HasSubstr("64 % of the signal"));
}

TEST(ScanPriorReportTest, NoiseAcquisitionsMayBeTheOnesThatAreWrong) {
    ScanPriorReport report;
    report.noise.sigma = 990;
    report.predicted_error = 0.014;
    report.expected = {1, "noise acquisitions"};
    EXPECT_THAT(said_of(report), HasSubstr("or the noise acquisitions are of another gain"));
    report.expected.source = "high frequencies of the readouts";
    EXPECT_THAT(said_of(report), Not(HasSubstr("noise acquisitions")));
}

TEST(ScanPriorReportTest, SolutionsThatStillMovedAreToldOf) {
    ScanPriorReport report;
    EXPECT_THAT(said_of(report), Not(HasSubstr("still moved")));
    report.is_unfinished = true;
    EXPECT_THAT(said_of(report), HasSubstr("solutions still moved when they ended: the data hardly tell parts"));
}

TEST(ScanPriorReportTest, TheResolutionIsInVoxelsWhereTheirSizeIsUnknown) {
    ScanPriorReport report;
    report.resolution_mm = 1.8;
    report.edge_resolution_mm = 1.3;
    EXPECT_THAT(said_of(report), HasSubstr("effective resolution 1.8 voxels (1.3 at edges), predicted"));
    report.voxel_mm = 2;
    EXPECT_THAT(said_of(report), HasSubstr("effective resolution 1.8 mm (1.3 at edges) at 2 mm voxels, predicted"));
}

TEST(ScanPriorReportTest, WhatIsLeftOverIsJudgedByTheNoise) {
    const auto doubts = [](double left_over, NoiseLevel noise, double error) {
        ScanPriorReport report;
        report.noise.sigma = left_over;
        report.expected = std::move(noise);
        report.predicted_error = error;
        return said_of(report).find("what the model leaves over is") != std::string::npos;
    };
    EXPECT_TRUE(doubts(1.3, {1, "noise acquisitions"}, 0.01));
    EXPECT_FALSE(doubts(1.1, {1, "noise acquisitions"}, 0.05));
    EXPECT_TRUE(doubts(1.7, {1, "repeats of the centre of k-space"}, 0.05));
    EXPECT_FALSE(doubts(1.3, {1, "repeats of the centre of k-space"}, 0.05));
    EXPECT_FALSE(doubts(1000, {1, "high frequencies of the readouts"}, 0.01)) << "there is next to no noise";
    EXPECT_FALSE(doubts(1, {}, 0.05)) << "unknown";
}

}  // namespace
}  // namespace recon
