#include "app/studies/stone2008/stone_study.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

#include "app/studies/stone2008/stone_published.hpp"
#include "app/studies/stone2008/stone_report.hpp"
#include "app/studies/stone2008/stone_scan.hpp"
#include "core/base/error.hpp"

namespace recon::stone {
namespace {

Settings small(double time_limit_s, std::vector<std::string> steps) {
    Settings settings;
    settings.size = 7;
    settings.samples = 1000;
    settings.iterations = 5;
    settings.steps = std::move(steps);
    settings.time_limit_s = time_limit_s;
    settings.device = "cpu";
    return settings;
}

const Row& row(const Report& report, std::string_view id) {
    for (const Row& candidate : report.rows) {
        if (candidate.id == id) {
            return candidate;
        }
    }
    throw Error(fmt::format("no row {}", id));
}

TEST(StoneStudy, ScanHasAboutAsManySamplesAsAskedFor) {
    for (const Index samples : {2000, 20000, 50000}) {
        const Scan scan = simulate(12, samples, 20, 1);
        EXPECT_NEAR(static_cast<double>(scan.trajectory.sample_count()), static_cast<double>(samples), 0.05 * samples);
        EXPECT_EQ(scan.trajectory.sample_count(), scan.readout_count * scan.samples_per_readout);
        EXPECT_EQ(scan.kspace.size(), static_cast<std::size_t>(scan.trajectory.sample_count()));
        EXPECT_EQ(scan.truth.size(), 12U * 12U * 12U);
    }
    EXPECT_THROW(simulate(1, 100, 20, 1), UsageError);
    EXPECT_THROW(simulate(64, 10, 20, 1), UsageError);
}

// Exact sums of any kind lead to one image, whose distance to the truth is that of the method: single precision moves
// it by 1e-4 or less in five iterations, and gridding is another method.
TEST(StoneStudy, ExactStepsLeadToOneImage) {
    const Report report = run_study(small(1e6, {"gridding-cpu", "cpu-double", "cpu-single", "cpu-threads",
                                                "cpu-separable", "recon", "recon-double"}),
                                    [](const Row&) {});
    const Row& reference = row(report, "recon-double");
    ASSERT_TRUE(reference.image);
    EXPECT_LT(reference.image->relative_l2, 0.5);
    for (const char* id : {"cpu-double", "cpu-single", "cpu-threads", "cpu-separable", "recon"}) {
        const Row& step = row(report, id);
        EXPECT_FALSE(step.extrapolated()) << id;
        EXPECT_EQ(step.image_origin, ImageOrigin::own) << id;
        ASSERT_TRUE(step.image) << id;
        EXPECT_NEAR(step.image->relative_l2, reference.image->relative_l2, 1e-3 * reference.image->relative_l2) << id;
        EXPECT_GT(step.solver_seconds, 0) << id;
    }
    const Row& gridding = row(report, "gridding-cpu");
    EXPECT_FALSE(gridding.q);
    ASSERT_TRUE(gridding.image);
    EXPECT_GT(std::abs(gridding.image->relative_l2 - reference.image->relative_l2), 1e-3);
}

// A limit that nothing keeps: times are extrapolated, say so, and no image is invented for single precision.
TEST(StoneStudy, BeyondTheTimeLimitIsExtrapolated) {
    const Report report = run_study(small(1e-6, {"cpu-double", "cpu-single"}), [](const Row&) {});
    for (const char* id : {"cpu-double", "cpu-single"}) {
        const Row& step = row(report, id);
        ASSERT_TRUE(step.q);
        EXPECT_TRUE(step.q->extrapolated()) << id;
        EXPECT_GT(step.q->part, 0) << id;
        EXPECT_NE(table_line(step).find('*'), std::string::npos) << id;
    }
    EXPECT_EQ(row(report, "cpu-double").image_origin, ImageOrigin::reference);
    EXPECT_TRUE(row(report, "cpu-double").image);
    EXPECT_EQ(row(report, "cpu-single").image_origin, ImageOrigin::none);
    EXPECT_FALSE(row(report, "cpu-single").image);
    EXPECT_NE(table_notes(report).find("extrapolated"), std::string::npos);
}

TEST(StoneStudy, ReportHasEveryRowBesideThePublishedOne) {
    const Report report = run_study(small(1e6, {"cpu-threads", "gridding-cpu"}), [](const Row&) {});
    const nlohmann::json json = report_json({report, {}});
    ASSERT_EQ(json["rows"].size(), 2U);
    EXPECT_EQ(json["rows"][0]["id"], "gridding-cpu");
    EXPECT_DOUBLE_EQ(json["rows"][0]["published"]["reconstruction_minutes"], 0.39);
    EXPECT_FALSE(json["rows"][0].contains("q"));
    EXPECT_FALSE(json["rows"][1].contains("published"));
    EXPECT_FALSE(json["rows"][1]["q"]["extrapolated"]);
    EXPECT_DOUBLE_EQ(json["rows"][1]["reconstruction_seconds"],
                     json["rows"][1]["fhd"]["seconds"].get<double>() + json["rows"][1]["solver_seconds"].get<double>());
}

// The papers' own figures: 3.19 minutes without Q, their naive row beside the kernel with the voxel in registers, and
// the four headlines as quotients of their rows.
TEST(StonePublished, FiguresAreThoseOfThePapers) {
    EXPECT_EQ(published_for("cpu-threads"), nullptr);
    EXPECT_EQ(published_for("base"), nullptr);
    EXPECT_DOUBLE_EQ(published_for("regalloc")->q_min, 260.2);
    const PublishedTimes tuned = *published_for("tune"), serial = *published_for("cpu-single"),
                         gridding = *published_for("gridding-cpu");
    EXPECT_NEAR(tuned.reconstruction_min(), 3.19, 1e-9);
    const double quotients[] = {serial.q_min / tuned.q_min, serial.fhd_min / tuned.fhd_min,
                                serial.reconstruction_min() / tuned.reconstruction_min(),
                                tuned.reconstruction_min() / gridding.reconstruction_min()};
    const std::vector<Ratio> ratios = headline_ratios(Report{});
    ASSERT_EQ(ratios.size(), 4U);
    for (std::size_t i = 0; i < ratios.size(); ++i) {
        EXPECT_NEAR(ratios[i].published, quotients[i], 0.5) << ratios[i].id;
        EXPECT_FALSE(ratios[i].same_step || ratios[i].program) << ratios[i].id << ": nothing ran";
    }
    EXPECT_DOUBLE_EQ(published_image_for("gridding")->error_percent, 41.7);
}

TEST(StonePublished, HeadlinesAreQuotientsOfTheRows) {
    Report report;
    report.rows = {
        {.id = "cpu-single", .title = "", .q = SumTime{.seconds = 100}, .fhd = {.seconds = 40}, .solver_seconds = 10},
        {.id = "tune", .title = "", .q = SumTime{.seconds = 2}, .fhd = {.seconds = 4}, .solver_seconds = 1},
        {.id = "gridding-cpu", .title = "", .fhd = {.seconds = 0.5}},
        {.id = "recon", .title = "", .skipped = "not here"}};
    const std::vector<Ratio> ratios = headline_ratios(report);
    EXPECT_DOUBLE_EQ(*ratios[0].same_step, 50);
    EXPECT_DOUBLE_EQ(*ratios[1].same_step, 10);
    EXPECT_DOUBLE_EQ(*ratios[2].same_step, 10);
    EXPECT_DOUBLE_EQ(*ratios[3].same_step, 10);
    EXPECT_FALSE(ratios[0].program);
}

TEST(StoneStudy, RefusesRowsThatDoNotExist) {
    EXPECT_THROW(run_study(small(1, {"cpu-quadruple"}), [](const Row&) {}), UsageError);
}

}  // namespace
}  // namespace recon::stone
