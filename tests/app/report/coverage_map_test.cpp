#include "app/report/coverage_map.hpp"

#include <gtest/gtest.h>

#include <memory>
#include <numeric>

namespace recon {
namespace {

TEST(CoverageMaps, EverySampleCountsOnceWhereItLies) {
    Scan scan;
    scan.geometry.matrix_size = {32, 16, 1};
    const auto trajectory = std::make_shared<Trajectory>();
    trajectory->k = {std::vector<double>{-16, 0, 15.9, 40}, {-8, 0, 0, 0}, {0, 0, 0, 0}};
    scan.frames.emplace_back().trajectory = trajectory;
    const std::vector<NamedArray> maps = coverage_maps(scan);
    ASSERT_EQ(maps.size(), 1U);
    EXPECT_EQ(maps[0].name, "coverage/xy");
    const auto& counts = std::get<std::vector<float>>(maps[0].values);
    EXPECT_EQ(std::accumulate(counts.begin(), counts.end(), 0.F), 4);
    EXPECT_EQ(counts[0], 1);
    EXPECT_EQ(counts[32 * 64 + 32], 1);
    EXPECT_EQ(counts[32 * 64 + 63], 2);  // the one beyond the band at its edge
}

TEST(CoverageMaps, AVolumeHasThree) {
    Scan scan;
    scan.geometry.matrix_size = {8, 8, 8};
    const auto trajectory = std::make_shared<Trajectory>();
    trajectory->k = {std::vector<double>{0}, {1}, {2}};
    scan.frames.emplace_back().trajectory = trajectory;
    EXPECT_EQ(coverage_maps(scan).size(), 3U);
}

}  // namespace
}  // namespace recon
