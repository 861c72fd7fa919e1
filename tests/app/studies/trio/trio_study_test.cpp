#include "app/studies/trio/trio_study.hpp"

#include <gtest/gtest.h>

namespace recon::trio {
namespace {

// What the paper begins with: a spiral saves scan time, gridding pays for it with errors, least squares with time.
TEST(TrioStudy, SpiralIsFasterAndLeastSquaresMendsIt) {
    Settings settings;
    settings.size = 40;
    settings.device = "cpu";
    int told = 0;
    const Report report = run_study(settings, [&](const Row&) { ++told; });
    ASSERT_EQ(report.rows.size(), 4U);
    EXPECT_EQ(told, 4);
    const Row &cartesian = report.rows[0], &gridded = report.rows[1], &solved = report.rows[2], &prior = report.rows[3];
    EXPECT_EQ(cartesian.readout_count, 40);
    EXPECT_DOUBLE_EQ(cartesian.scan_s, 40 * settings.repetition_time_s);
    EXPECT_LT(gridded.scan_s, cartesian.scan_s);
    EXPECT_EQ(gridded.scan_s, solved.scan_s);
    EXPECT_LT(solved.figures.relative_l2, gridded.figures.relative_l2);
    EXPECT_LT(prior.figures.relative_l2, gridded.figures.relative_l2);
    EXPECT_EQ(report_json(report)["rows"].size(), 4U);
}

}  // namespace
}  // namespace recon::trio
