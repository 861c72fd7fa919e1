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
    log_scan_prior(report);
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

TEST(ScanPriorReportTest, TheResolutionIsInVoxelsWhereTheirSizeIsUnknown) {
    ScanPriorReport report;
    report.resolution_mm = 1.8;
    report.edge_resolution_mm = 1.3;
    EXPECT_THAT(said_of(report), HasSubstr("effective resolution 1.8 voxels (1.3 at edges), predicted"));
    report.voxel_mm = 2;
    EXPECT_THAT(said_of(report), HasSubstr("effective resolution 1.8 mm (1.3 at edges) at 2 mm voxels, predicted"));
}

}  // namespace
}  // namespace recon
