// Results of frames on their way from one process to another: nothing is lost.
#include "app/reconstruction/frame_parcel.hpp"

#include <gtest/gtest.h>

#include <thread>

#include "tests/support/loopback_transport.hpp"

namespace recon {
namespace {

FrameResult full_result() {
    FrameResult result;
    result.label = {1, 2, 3, 4, 5};
    result.image = {{1, 2}, {3, 4}};
    result.baseline = {{5, 6}};
    result.sums = SumsMethod::exact;
    result.q_origin = "shared";
    result.cg.iterations = 7;
    result.cg.residuals = {1, 0.5};
    result.cg.stopped_by = StopReason::residual;
    result.admm.emplace().objectives = {3, 2};
    result.lambda.emplace().choice.lambda = 0.25;
    result.scan.emplace().k_per_mm = {0.1, 0.2};
    result.data_residual = 0.125;
    result.findings = {{"residual", "it does not fit", ""}};
    result.accuracy = MeasuredAccuracy{1e-6, 2e-6, 3e-6};
    result.prior.emplace().noise = 4;
    result.prior->alignment.emplace().best.shift = {1, -2, 3};
    result.prior->alignment->best.mirrored = {false, true, false};
    result.prior->alignment->far_deviation = 0.5;
    result.prior->leakage.emplace().leakage = 0.75;
    result.extras = {{"curve", {"point"}, {2}, std::vector<double>{1, 2}, "Hz"},
                     {"maps", {"coil", "x"}, {1, 2}, std::vector<cfloat>{{1, 1}, {2, 2}}, ""},
                     {"sd", {"x"}, {3}, std::vector<float>{1, 2, 3}, ""}};
    return result;
}

TEST(FrameParcel, AllOfAResultReachesRankZero) {
    const auto groups = test::make_loopback_groups(3);
    std::vector<FrameResult> at_root;
    {
        std::vector<std::jthread> threads;
        for (const auto& group : groups) {
            threads.emplace_back([&at_root, &group = *group] {
                std::vector<FrameResult> results(3);
                if (group.rank() == 2) {
                    results[1] = full_result();
                }
                gather_frames(results, {{0}, {2}, {1}}, {3, 3}, group);
                if (group.rank() == 0) {
                    at_root = std::move(results);
                } else {
                    EXPECT_TRUE(results[1].image.empty()) << "what was sent is not kept";
                }
                group.end({}, [](const std::string& line) { ADD_FAILURE() << line; });
            });
        }
    }
    const FrameResult expected = full_result();
    const FrameResult& found = at_root.at(1);
    EXPECT_EQ(found.label, expected.label);
    EXPECT_EQ(found.image, expected.image);
    EXPECT_EQ(found.baseline, expected.baseline);
    EXPECT_EQ(found.sums, expected.sums);
    EXPECT_EQ(found.q_origin, expected.q_origin);
    EXPECT_EQ(found.cg.iterations, expected.cg.iterations);
    EXPECT_EQ(found.cg.residuals, expected.cg.residuals);
    EXPECT_EQ(found.cg.stopped_by, expected.cg.stopped_by);
    EXPECT_EQ(found.admm->objectives, expected.admm->objectives);
    EXPECT_EQ(found.lambda->choice.lambda, expected.lambda->choice.lambda);
    EXPECT_EQ(found.scan->k_per_mm, expected.scan->k_per_mm);
    EXPECT_EQ(found.data_residual, expected.data_residual);
    EXPECT_EQ(found.findings.at(0).text, "it does not fit");
    EXPECT_EQ(found.accuracy->normal, 3e-6);
    EXPECT_EQ(found.prior->noise, 4);
    EXPECT_EQ(found.prior->alignment->best, expected.prior->alignment->best);
    EXPECT_EQ(found.prior->alignment->far_deviation, 0.5);
    EXPECT_EQ(found.prior->leakage->leakage, 0.75);
    ASSERT_EQ(found.extras.size(), 3U);
    for (std::size_t i = 0; i < 3; ++i) {
        EXPECT_EQ(found.extras[i].name, expected.extras[i].name);
        EXPECT_EQ(found.extras[i].axes, expected.extras[i].axes);
        EXPECT_EQ(found.extras[i].extents, expected.extras[i].extents);
        EXPECT_EQ(found.extras[i].values, expected.extras[i].values);
        EXPECT_EQ(found.extras[i].unit, expected.extras[i].unit);
    }
    EXPECT_TRUE(at_root.at(0).image.empty());
}

}  // namespace
}  // namespace recon
