#include "core/mri/grids/resample.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using test::expect_error;
using Point = PerAxis<double>;

Geometry grid(PerAxis<Index> matrix_size, PerAxis<double> field_of_view_mm,
              std::optional<Orientation> orientation = Orientation{}) {
    return {matrix_size, field_of_view_mm, orientation};
}

/// Rotation by `angle` about z, then about x by half of it; centre somewhere.
Orientation tilted(double angle, Point centre_mm) {
    const double c = std::cos(angle), s = std::sin(angle), c2 = std::cos(angle / 2), s2 = std::sin(angle / 2);
    return {centre_mm, {c, s * c2, s * s2}, {-s, c * c2, c * s2}, {0, -s2, c2}};
}

Point position_mm(const Geometry& g, PerAxis<Index> index) {
    const Orientation o = g.orientation.value_or(Orientation{});
    const auto size = g.voxel_size_mm();
    Point p = o.centre_mm;
    for (int row = 0; row < 3; ++row) {
        p[row] += static_cast<double>(index[0] - g.matrix_size[0] / 2) * size[0] * o.x_direction[row] +
                  static_cast<double>(index[1] - g.matrix_size[1] / 2) * size[1] * o.y_direction[row] +
                  static_cast<double>(index[2] - g.matrix_size[2] / 2) * size[2] * o.z_direction[row];
    }
    return p;
}

/// f = 3 + x / 10 - y / 4 + z / 7, mm: trilinear interpolation and means over voxels are exact for it.
double linear(const Point& p) { return 3 + p[0] / 10 - p[1] / 4 + p[2] / 7; }

template <class Function>
void for_each_voxel(const Geometry& g, Function&& function) {
    Index n = 0;
    for (Index z = 0; z < g.matrix_size[2]; ++z) {
        for (Index y = 0; y < g.matrix_size[1]; ++y) {
            for (Index x = 0; x < g.matrix_size[0]; ++x, ++n) {
                function(n, PerAxis<Index>{x, y, z});
            }
        }
    }
}

std::vector<float> sampled(const Geometry& g, double (*function)(const Point&)) {
    std::vector<float> values(Shape::image(g.matrix_size).element_count());
    for_each_voxel(
        g, [&](Index n, PerAxis<Index> index) { values[n] = static_cast<float>(function(position_mm(g, index))); });
    return values;
}

Resampled<float> resampled(const std::vector<float>& values, const Geometry& from, const Geometry& to) {
    return resample(std::span<const float>(values), from, to, "map.nii");
}

// Coordinates of some hundred mm in float voxels of values up to 100.
constexpr double rounding = 1e-4;

TEST(Resample, LinearFunctionsAreExactBetweenTiltedGridsOfAllSizes) {
    const Geometry source = grid({40, 37, 35}, {240, 230, 220}, tilted(0.4, {5, -3, 8}));
    const Geometry targets[] = {grid({16, 15, 14}, {90, 80, 70}, tilted(-0.3, {10, 2, -4})),  // coarser in part
                                grid({31, 1, 1}, {100, 4, 4}, tilted(1.1, {0, 0, 0})),        // a line
                                grid({9, 9, 1}, {90, 80, 5}, tilted(0.7, {1, 2, 3})),         // a slice
                                grid({50, 44, 3}, {100, 90, 6}, Orientation{})};              // finer
    const std::vector<float> values = sampled(source, linear);
    for (const Geometry& target : targets) {
        const Resampled<float> found = resampled(values, source, target);
        EXPECT_EQ(found.outside_fraction, 0);
        for_each_voxel(target, [&](Index n, PerAxis<Index> index) {
            ASSERT_NEAR(found.voxels[n], linear(position_mm(target, index)), rounding);
            ASSERT_NEAR(found.coverage[n], 1, 1e-6);
        });
    }
}

TEST(Resample, EqualGridsAreCopiedBitForBit) {
    const Geometry g = grid({5, 6, 7}, {50, 61, 72}, tilted(0.2, {100, -50, 3}));
    const auto random = test::random_values(210, 3);
    const std::vector<cfloat> values(random.begin(), random.end());
    Geometry same = g;
    same.orientation->centre_mm[0] += 1e-4;  // as a file of floats has it
    const auto found = resample(std::span<const cfloat>(values), g, same, "x");
    EXPECT_EQ(found.voxels, values);
    EXPECT_EQ(found.outside_fraction, 0);
}

TEST(Resample, FlippedAndPermutedAxesLandWhereTheyBelong) {
    const Geometry target = grid({3, 4, 1}, {30, 40, 5});
    Geometry source = grid({4, 3, 1}, {40, 30, 5}, Orientation{{0, 0, 0}, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}});
    // source x runs along -y: its voxel floor(4/2) = 2 and the target's are both at 0
    source.orientation->centre_mm = {0, -10, 0};  // so that rows -20 .. 10 mm are covered
    std::vector<float> values(12);
    for_each_voxel(source, [&](Index n, PerAxis<Index>) { values[n] = static_cast<float>(n + 1); });
    const auto found = resampled(values, source, target);
    EXPECT_EQ(found.outside_fraction, 0);
    for_each_voxel(target, [&](Index n, PerAxis<Index> index) {
        EXPECT_FLOAT_EQ(found.voxels[n], values[(3 - index[1]) + 4 * index[0]]);
    });
}

TEST(Resample, CoarserVoxelsAreMeansWithoutAliasing) {
    // Stripes of one voxel: interpolation alone would return stripes again, the mean returns grey.
    const Geometry fine = grid({64, 64, 1}, {64, 64, 1}), coarse = grid({16, 16, 1}, {64, 64, 1});
    std::vector<float> stripes(64 * 64);
    for (std::size_t n = 0; n < stripes.size(); ++n) {
        stripes[n] = n % 2 == 0 ? 1.0F : -1.0F;
    }
    const auto found = resampled(stripes, fine, coarse);
    for (std::size_t n = 0; n < found.voxels.size(); ++n) {
        if (n % 16 != 0) {  // the first column's voxel reaches over the border, where values are held
            EXPECT_NEAR(found.voxels[n], 0, 1e-6);
        }
    }
}

TEST(Resample, WhatLiesOutsideIsZeroAndCounted) {
    const Geometry small = grid({10, 10, 1}, {100, 100, 10}), large = grid({20, 20, 1}, {200, 200, 10});
    const auto found = resampled(std::vector<float>(100, 7.0F), small, large);
    EXPECT_NEAR(found.outside_fraction, 0.75, 1e-9);
    EXPECT_EQ(found.voxels[0], 0);
    EXPECT_EQ(found.voxels[10 * 20 + 10], 7);
    Geometry far = small;
    far.orientation->centre_mm = {0, 0, 100};  // another slice
    EXPECT_EQ(resampled(std::vector<float>(100, 7.0F), far, large).outside_fraction, 1);
}

TEST(Resample, AThinSliceServesAThickOneWhoseCentreItHolds) {
    const Geometry thin = grid({10, 10, 1}, {100, 100, 2}), thick = grid({5, 5, 1}, {100, 100, 8});
    const auto found = resampled(std::vector<float>(100, 7.0F), thin, thick);
    EXPECT_EQ(found.voxels, std::vector<float>(25, 7.0F));
    EXPECT_GT(*std::min_element(found.coverage.begin(), found.coverage.end()), 0.2F) << "corners reach over the border";
    EXPECT_EQ(found.coverage[12], 1);
}

TEST(Resample, VoxelsOfNoWeightDoNotCount) {
    const Geometry fine = grid({8, 8, 1}, {80, 80, 1}), coarse = grid({4, 4, 1}, {80, 80, 1});
    std::vector<float> values(64, 100.0F), weights(64, 1.0F);
    for (std::size_t n = 0; n < 64; ++n) {
        if (n % 8 >= 4) {
            values[n] = -1e6F;
            weights[n] = 0;
        }
    }
    const auto found = resample(std::span<const float>(values), fine, coarse, "x", weights);
    for (std::size_t n = 0; n < 16; ++n) {
        EXPECT_FLOAT_EQ(found.voxels[n], found.coverage[n] > 0 ? 100.0F : 0.0F);
        EXPECT_EQ(found.coverage[n] > 0, n % 4 < 3) << n;
    }
}

TEST(Resample, UnknownPlacesAreTakenAsIsOrRefused) {
    const Geometry placed = grid({6, 5, 1}, {60, 50, 5});
    const std::vector<float> values(30, 2.0F);
    const Geometry unknown{{6, 5, 1}, {0, 0, 0}, std::nullopt};
    EXPECT_EQ(resampled(values, unknown, placed).voxels, values);
    EXPECT_EQ(resampled(values, placed, unknown).voxels, values);
    const Geometry unplaced = grid({6, 5, 1}, {60, 50, 5}, std::nullopt);
    EXPECT_EQ(resampled(values, unplaced, placed).voxels, values);
    // Same matrix, another field of view, position unknown: not the same grid
    expect_error<InputError>(
        [&] {
            resampled(values, grid({6, 5, 1}, {90, 75, 5}, std::nullopt), placed);
        },
        {"map.nii", "6 x 5 x 1 voxels of 15 x 15 x 5 mm, position unknown", "10 x 10 x 5 mm"});
    // Another matrix
    expect_error<InputError>(
        [&] {
            resampled(values, unknown, grid({12, 10, 1}, {60, 50, 5}));
        },
        {"map.nii", "6 x 5 x 1 voxels, size unknown", "12 x 10 x 1 voxels of 5 x 5 x 5 mm"});
    // Neither knows its position, both their size: the same centre and axes
    const auto found = resampled(values, unplaced, grid({12, 10, 1}, {60, 50, 5}, std::nullopt));
    EXPECT_EQ(found.voxels, std::vector<float>(120, 2.0F));
    EXPECT_THAT(found.text, ::testing::HasSubstr("taken to have the image's centre"));
}

TEST(Resample, SizesMustFit) {
    EXPECT_THROW(resampled(std::vector<float>(5), grid({2, 2, 1}, {1, 1, 1}), grid({2, 2, 1}, {1, 1, 1})), ShapeError);
}

}  // namespace
}  // namespace recon
