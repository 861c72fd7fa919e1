// The image half of the study at a small size: W against gridding, and the steps' images with W in place.
#include "app/studies/stone2008/stone_image.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <map>

#include "app/studies/stone2008/stone_report.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon::stone {
namespace {

ImageReport small_report(std::vector<std::string> steps, double time_limit_s) {
    ImageSettings settings;
    settings.size = 16;
    settings.steps = std::move(steps);
    settings.time_limit_s = time_limit_s;
    settings.device = "cpu";
    return run_image_half(
        settings, [](const ImageRow&) {}, [](const StepImageRow&) {});
}

TEST(StoneImage, WTellsFromNoiseWhatGriddingCannot) {
    const ImageReport report = small_report({"cpu-threads", "cpu-separable", "cpu-double"}, 1e6);
    std::map<std::string, const ImageRow*> rows;
    for (const ImageRow& row : report.rows) {
        rows[row.id] = &row;
        EXPECT_EQ(row.image.size(), 16U * 16 * 16) << row.id;
    }
    for (const char* id : {"gridding", "least-squares", "identity", "roughness", "spectrum", "scan", "anatomical"}) {
        ASSERT_TRUE(rows.contains(id)) << id;
    }
    EXPECT_GT(rows["gridding"]->figures.all.relative_l2, 0.3);
    EXPECT_LT(rows["anatomical"]->figures.all.relative_l2, 0.75 * rows["gridding"]->figures.all.relative_l2);
    EXPECT_LT(rows["anatomical"]->figures.all.relative_l2, rows["identity"]->figures.all.relative_l2);
    // Part of the gap is background, where the truth is zero.
    EXPECT_LT(rows["gridding"]->figures.object.relative_l2, rows["gridding"]->figures.all.relative_l2);
    ASSERT_TRUE(report.lambda) << "chosen by the program";
    EXPECT_EQ(report.lambda, rows["anatomical"]->lambda);
    EXPECT_TRUE(report.leakage);

    ASSERT_EQ(report.steps.size(), 3U);
    for (const StepImageRow& step : report.steps) {
        EXPECT_EQ(step.skipped, "") << step.id;
        EXPECT_LT(std::abs(step.psnr_change_db), 0.1) << step.id;
    }
    // The image of the steps' own solver is that of the program.
    EXPECT_NEAR(report.double_sums.all.relative_l2, rows["anatomical"]->figures.all.relative_l2, 0.01);
    ASSERT_TRUE(largest_change(report));
    EXPECT_NE(image_notes(report).find("within 0.1 dB"), std::string::npos);
    EXPECT_NE(image_notes(report).find("leakage"), std::string::npos);
}

TEST(StoneImage, SlowStepsMakeNoImageAndTheRecordSaysSo) {
    const ImageReport report = small_report({"cpu-double"}, 1e-9);
    ASSERT_EQ(report.steps.size(), 1U);
    EXPECT_NE(report.steps.front().skipped.find("limit"), std::string::npos);
    EXPECT_FALSE(largest_change(report));
    const nlohmann::json json = report_json({{}, report});
    EXPECT_FALSE(json.contains("rows"));
    EXPECT_EQ(json["images"].size(), 7U);
    EXPECT_DOUBLE_EQ(json["images"][0]["published"]["error_percent"], 41.7);
    EXPECT_TRUE(json["step_images"][0].contains("skipped"));
    const std::string page = report_page({{}, report});
    EXPECT_NE(page.find("data:image/png"), std::string::npos);
    EXPECT_NE(page.find("Computing Frontiers 2008"), std::string::npos);
    const test::TemporaryFolder folder;
    write_picture(folder.path() + "/rows.png", report);
    EXPECT_TRUE(std::filesystem::exists(folder.path() + "/rows.png"));
}

}  // namespace
}  // namespace recon::stone
