#include "app/studies/stone2008/stone_study.hpp"

#include <fmt/format.h>
#include <gtest/gtest.h>

#include <cmath>
#include <string_view>

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
    const nlohmann::json json = report_json(report);
    ASSERT_EQ(json["rows"].size(), 2U);
    EXPECT_EQ(json["rows"][0]["id"], "gridding-cpu");
    EXPECT_DOUBLE_EQ(json["rows"][0]["published"]["total_minutes"], 0.39);
    EXPECT_FALSE(json["rows"][0].contains("q"));
    EXPECT_FALSE(json["rows"][1].contains("published"));
    EXPECT_FALSE(json["rows"][1]["q"]["extrapolated"]);
    EXPECT_EQ(published_for("cpu-threads"), nullptr);
    EXPECT_NEAR(published_for("tune")->total_min(), 7.5 + 1.5 + 1.69, 1e-9);
}

TEST(StoneStudy, RefusesRowsThatDoNotExist) {
    EXPECT_THROW(run_study(small(1, {"cpu-quadruple"}), [](const Row&) {}), UsageError);
}

}  // namespace
}  // namespace recon::stone
