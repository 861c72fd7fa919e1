#include "core/mri/off_resonance/field_maps_of_slices.hpp"

#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

constexpr Index voxels = 6 * 5 * 3;

/// Slices 1 and 3 with maps of their numbers.
Scan scan_of_slices() {
    Scan scan = test::sample_scan({.frames = 3});
    scan.frames[0].label.slice = 3;
    scan.frames[1].label.slice = 1;
    scan.frames[2].label.slice = 3;
    scan.off_resonance_slices = {1, 3};
    scan.off_resonance_hz.assign(voxels, 1.0F);
    scan.off_resonance_hz.resize(2 * voxels, 3.0F);
    return scan;
}

TEST(FieldMapsOfSlices, AreThoseOfTheFrames) {
    const Scan scan = scan_of_slices();
    EXPECT_EQ(slices_of(scan), (std::vector<Index>{1, 3}));
    for (const Index slice : {1, 3}) {
        const OffResonanceMaps maps = scan.off_resonance(slice);
        EXPECT_TRUE(std::ranges::equal(maps.off_resonance_hz, std::vector<float>(voxels, static_cast<float>(slice))));
        EXPECT_TRUE(maps.relaxation_rate_per_s.empty());
        EXPECT_TRUE(maps.is_same(scan.off_resonance(slice)));
    }
    EXPECT_FALSE(scan.off_resonance(1).is_same(scan.off_resonance(3)));
    test::expect_error<ShapeError>([&] { scan.off_resonance(2); }, {"field maps", "other slices than 2"});
    const Scan one = test::sample_scan();
    EXPECT_EQ(one.off_resonance(7).off_resonance_hz.data(), one.off_resonance_hz.data()) << "of all frames";
    EXPECT_TRUE(Scan().off_resonance(0).empty());
}

TEST(FieldMapsOfSlices, AreVisitedAndChangedOneByOne) {
    Scan scan = scan_of_slices();
    std::vector<Index> visited;
    for_each_field_map(scan, [&](std::span<float> map_hz, std::optional<Index> slice) {
        visited.push_back(slice.value());
        EXPECT_EQ(map_hz.size(), static_cast<std::size_t>(voxels));
        std::ranges::fill(map_hz, 2 * map_hz[0]);
    });
    EXPECT_EQ(visited, (std::vector<Index>{1, 3}));
    EXPECT_EQ(scan.off_resonance(3).off_resonance_hz[voxels - 1], 6);
    EXPECT_EQ(scan.off_resonance(1).off_resonance_hz[0], 2);
    Index count = 0;
    const auto is_of_all = [&](std::span<const float> map_hz, std::optional<Index> slice) {
        EXPECT_EQ(map_hz.size(), static_cast<std::size_t>(voxels));
        EXPECT_FALSE(slice);
        ++count;
    };
    const Scan one = test::sample_scan();
    for_each_field_map(one, is_of_all);
    EXPECT_EQ(count, 1);
    const Scan none;
    for_each_field_map(none, is_of_all);
    EXPECT_EQ(count, 1);
}

TEST(FieldMapsOfSlices, OneIsRepeatedWhereTheOtherMapIsOfEach) {
    std::vector<float> map{1, 2};
    repeat_for_slices(map, {}, {2, 1, 1});
    EXPECT_EQ(map, (std::vector<float>{1, 2}));
    repeat_for_slices(map, {0, 4, 5}, {2, 1, 1});
    EXPECT_EQ(map, (std::vector<float>{1, 2, 1, 2, 1, 2}));
    repeat_for_slices(map, {0, 4, 5}, {2, 1, 1});
    EXPECT_EQ(map.size(), 6U) << "there are as many";
    std::vector<float> none;
    repeat_for_slices(none, {0, 4}, {2, 1, 1});
    EXPECT_TRUE(none.empty());
}

}  // namespace
}  // namespace recon
