#include "core/mri/grids/margin.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <numeric>

#include "core/base/shape.hpp"
#include "core/mri/coil_parts.hpp"
#include "tests/support/scans/scan_in_parts.hpp"

namespace recon {
namespace {

constexpr Margin uneven{2, 1, 0};

/// sum of rho_n exp(-i 2 pi k.r_n), by the definition.
cdouble sum_over(const std::vector<cfloat>& image, const PerAxis<Index>& n, const Trajectory& trajectory, Index m) {
    cdouble sum = 0;
    for (Index i = 0; i < std::ssize(image); ++i) {
        const PerAxis<Index> at{i % n[0], i / n[0] % n[1], i / (n[0] * n[1])};
        double cycles = 0;
        for (int axis = 0; axis < 3; ++axis) {
            cycles +=
                trajectory.k[axis][m] * static_cast<double>(at[axis] - n[axis] / 2) / static_cast<double>(n[axis]);
        }
        sum += cdouble(image[i]) * std::polar(1.0, -2 * std::numbers::pi * cycles);
    }
    return sum;
}

TEST(Margin, AnImageInTheMiddleOfTheWiderFieldHasTheSameKspace) {
    const Scan narrow = test::sample_scan();
    Scan wide = narrow;
    widen(wide, uneven);
    const PerAxis<Index> n = narrow.geometry.matrix_size, w = wide.geometry.matrix_size;
    EXPECT_EQ(w, (PerAxis<Index>{n[0] + 4, n[1] + 2, n[2]}));
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(wide.geometry.voxel_size_mm()[axis], narrow.geometry.voxel_size_mm()[axis], 1e-12);
    }
    std::vector<cfloat> image(static_cast<std::size_t>(Shape::image(w).element_count()));
    for (std::size_t i = 0; i < image.size(); ++i) {
        const auto number = static_cast<Index>(i);
        const Index x = number % w[0], y = number / w[0] % w[1];
        const bool is_inside = x >= 2 && x < w[0] - 2 && y >= 1 && y < w[1] - 1;
        image[i] = is_inside ? cfloat(static_cast<float>(x), static_cast<float>(y + 1)) : cfloat(0);
    }
    const std::vector<cfloat> inside = without_margin(std::span<const cfloat>(image), n, uneven);
    ASSERT_EQ(std::ssize(inside), Shape::image(n).element_count());
    for (Index m = 0; m < narrow.frames[0].sample_count(); ++m) {
        const cdouble expected = sum_over(inside, n, *narrow.frames[0].trajectory, m);
        EXPECT_LT(std::abs(sum_over(image, w, *wide.frames[0].trajectory, m) - expected),
                  1e-9 * (1 + std::abs(expected)));
    }
}

TEST(Margin, MapsGoOnAsTheyAreAtTheBorder) {
    const Scan narrow = test::sample_scan();
    Scan wide = narrow;
    widen(wide, uneven);
    const PerAxis<Index> n = narrow.geometry.matrix_size;
    EXPECT_EQ(without_margin(std::span<const cfloat>(wide.coil_maps), n, uneven), narrow.coil_maps);
    EXPECT_EQ(without_margin(std::span<const float>(wide.off_resonance_hz), n, uneven), narrow.off_resonance_hz);
    EXPECT_EQ(wide.coil_maps[0], narrow.coil_maps[0]);  // of the corner
    EXPECT_EQ(wide.coil_maps[1], narrow.coil_maps[0]);
    EXPECT_EQ(wide.coil_maps[3], narrow.coil_maps[1]);
    EXPECT_EQ(wide.coil_maps.back(), narrow.coil_maps.back());
}

TEST(Margin, MapsThatAreReadByCoilsDoTheSame) {
    Scan in_memory = test::sample_scan();
    Scan read = test::scan_in_parts(in_memory);
    widen(in_memory, uneven);
    widen(read, uneven);
    EXPECT_EQ(read.read_coil_maps({0, read.coil_count}), in_memory.coil_maps);
    const std::vector<cfloat> second = read.read_coil_maps({1, 1});
    EXPECT_TRUE(std::equal(second.begin(), second.end(), in_memory.coil_maps.end() - std::ssize(second)));
}

TEST(Margin, FramesThatShareATrajectoryStillDo) {
    Scan scan = test::sample_scan({.frames = 3});
    scan.frames[2].trajectory = std::make_shared<Trajectory>(*scan.frames[2].trajectory);
    scan.calibration.push_back(scan.frames[0]);
    widen(scan, uneven);
    EXPECT_EQ(scan.frames[0].trajectory, scan.frames[1].trajectory);
    EXPECT_EQ(scan.frames[0].trajectory, scan.calibration[0].trajectory);
    EXPECT_NE(scan.frames[0].trajectory, scan.frames[2].trajectory);
    EXPECT_EQ(scan.frames[0].trajectory->k, scan.frames[2].trajectory->k);
}

TEST(Margin, BelowZeroIsTheOtherWay) {
    const Scan narrow = test::sample_scan();
    Scan scan = narrow;
    widen(scan, uneven);
    widen(scan, {-2, -1, 0});
    EXPECT_EQ(scan.geometry.matrix_size, narrow.geometry.matrix_size);
    EXPECT_EQ(scan.coil_maps, narrow.coil_maps);
    EXPECT_NEAR(scan.frames[0].trajectory->k[0][3], narrow.frames[0].trajectory->k[0][3], 1e-14);
}

TEST(Margin, IsTakenFromArraysOfTheWiderMatrixAlone) {
    const PerAxis<Index> n{3, 2, 1};
    std::vector<float> numbers(2 * 7 * 4);
    std::iota(numbers.begin(), numbers.end(), 0.0F);
    NamedArray maps{"maps", {"coil", "z", "y", "x"}, {2, 1, 4, 7}, numbers, ""};
    remove_margin(maps, n, uneven);
    EXPECT_EQ(maps.extents, (std::vector<Index>{2, 1, 2, 3}));
    EXPECT_EQ(std::get<std::vector<float>>(maps.values),
              (std::vector<float>{9, 10, 11, 16, 17, 18, 37, 38, 39, 44, 45, 46}));
    NamedArray curve{"curve", {"lambda"}, {3}, std::vector<double>{1, 2, 3}, ""};
    remove_margin(curve, n, uneven);
    EXPECT_EQ(curve.extents, std::vector<Index>{3});
}

}  // namespace
}  // namespace recon
