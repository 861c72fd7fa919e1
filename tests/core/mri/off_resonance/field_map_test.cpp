#include "core/mri/off_resonance/field_map.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "core/fourier/voxel_grid.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

Geometry geometry(PerAxis<Index> matrix_size) { return {matrix_size, {200, 200, 200}, std::nullopt}; }

template <class Function>
std::vector<float> map_of(PerAxis<Index> matrix_size, Function&& function) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    std::vector<float> map(grid.shape.element_count());
    for (Index n = 0; n < static_cast<Index>(map.size()); ++n) {
        map[n] = static_cast<float>(function(PerAxis<double>{grid.position(0, n % matrix_size[0]),
                                                             grid.position(1, n / matrix_size[0] % matrix_size[1]),
                                                             grid.position(2, n / (matrix_size[0] * matrix_size[1]))}));
    }
    return map;
}

double radius(const PerAxis<double>& r) { return std::sqrt(r[0] * r[0] + r[1] * r[1] + r[2] * r[2]); }

TEST(FieldMap, APlaneGoesOnAsAPlaneInAllDimensions) {
    const auto plane = [](const PerAxis<double>& r) { return 40 + 300 * r[0] - 170 * r[1] + 90 * r[2] + 1e-3; };
    for (const PerAxis<Index> size : {PerAxis<Index>{31, 24, 9}, {33, 40, 1}, {57, 1, 1}, {1, 1, 19}}) {
        const std::vector<float> truth = map_of(size, plane);
        std::vector<float> map =
            map_of(size, [&](const PerAxis<double>& r) { return radius(r) < 0.3 ? plane(r) : 0.0; });
        const FieldMapFit fit = extrapolate_field_map(map, geometry(size));
        EXPECT_LT(fit.deviation_hz, 1e-3);
        EXPECT_LT(fit.measured_fraction, 0.7);
        for (std::size_t n = 0; n < map.size(); ++n) {
            ASSERT_NEAR(map[n], truth[n], 0.05) << "0.01 % of the range, the accuracy asked of the iteration";
        }
    }
}

TEST(FieldMap, ContinuationIsContinuousAndForgetsTheRimFarAway) {
    const PerAxis<Index> size{64, 64, 1};
    const auto inside = [](const PerAxis<double>& r) { return radius(r) < 0.25; };
    const auto truth = [](const PerAxis<double>& r) { return 100 * r[0] + 30 * std::cos(20 * r[1]) + 5; };
    std::vector<float> map = map_of(size, [&](const PerAxis<double>& r) { return inside(r) ? truth(r) : 0.0; });
    const std::vector<float> measured = map;
    const double jump = rim_jump_hz(map, size);
    EXPECT_GT(jump, 15);
    const FieldMapFit fit = extrapolate_field_map(map, geometry(size));
    EXPECT_NEAR(fit.plane.slope_hz[0], 100, 5);
    double largest_step = 0;
    for (Index y = 0; y < 64; ++y) {
        for (Index x = 0; x < 64; ++x) {
            const Index n = y * 64 + x;
            if (measured[n] != 0) {
                EXPECT_EQ(map[n], measured[n]) << "measured values stay";
            }
            if (x > 0) {
                largest_step = std::max(largest_step, std::abs(double{map[n]} - double{map[n - 1]}));
            }
            if (y > 0) {
                largest_step = std::max(largest_step, std::abs(double{map[n]} - double{map[n - 64]}));
            }
        }
    }
    // Inside, neighbours differ by at most (100 + 30 * 20) / 64 Hz; the continuation is no steeper.
    EXPECT_LT(largest_step, 12);
    // Four screening lengths away the plane is left.
    EXPECT_NEAR(map[0], fit.plane.centre_hz - 0.5 * fit.plane.slope_hz[0] - 0.5 * fit.plane.slope_hz[1], 3);
}

TEST(FieldMap, NothingMeasuredCannotBeContinuedAndEverythingNeedNot) {
    std::vector<float> zero(20, 0.0F), full(20, 3.0F), one(20, 0.0F);
    test::expect_error<InputError>([&] { extrapolate_field_map(zero, geometry({5, 4, 1})); }, {"all voxels are 0"});
    EXPECT_EQ(extrapolate_field_map(full, geometry({5, 4, 1})).measured_fraction, 1);
    EXPECT_EQ(full, std::vector<float>(20, 3.0F));
    one[7] = -12;
    extrapolate_field_map(one, geometry({5, 4, 1}));
    for (const float value : one) {
        EXPECT_TRUE(std::isfinite(value));
    }
    EXPECT_EQ(one[7], -12);
}

TEST(FieldMap, ResamplingKeepsTheRimFreeOfMixtures) {
    const PerAxis<Index> fine{60, 60, 1}, coarse{20, 20, 1};
    const std::vector<float> map = map_of(fine, [](const PerAxis<double>& r) { return radius(r) < 0.3 ? 250.0 : 0.0; });
    const auto found = resample_field_map(map, geometry(fine), geometry(coarse), "map");
    Index measured = 0;
    for (const float value : found.voxels) {
        EXPECT_TRUE(value == 0 || std::abs(value - 250) < 1e-3) << value;
        measured += value != 0 ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(measured) / 400, pi * 0.09, 0.03);
    EXPECT_NEAR(found.outside_fraction, 1 - static_cast<double>(measured) / 400, 1e-9);
}

TEST(FieldMap, RangeAndDuration) {
    const std::vector<float> map{0, -20, 55, 0};
    const FieldMapRange range = range_of(map);
    EXPECT_EQ(range.lowest_hz, -20);
    EXPECT_EQ(range.highest_hz, 55);
    EXPECT_EQ(range.measured_fraction, 0.5);
    EXPECT_NEAR(duration_of(std::vector<float>{0.003F, 0.001F, 0.002F}), 0.002, 1e-9);
    EXPECT_EQ(duration_of({}), 0);
    EXPECT_EQ(rim_jump_hz(map, {4, 1, 1}), std::sqrt((400 + 3025) / 2.0));
    EXPECT_EQ(rim_jump_hz(std::vector<float>{1, 2, 3, 4}, {2, 2, 1}), 0);
}

}  // namespace
}  // namespace recon
