#include "core/mri/coils/calibration_region.hpp"

#include <gtest/gtest.h>

#include <cmath>

#include "core/mri/coils/cartesian_kspace.hpp"
#include "tests/support/coil_images.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

TEST(CalibrationRegionTest, IsWhatTheTrajectoryCovers) {
    Trajectory radial;  // spokes at the Nyquist distance up to radius 8 = spokes / pi
    constexpr int spokes = 25;
    for (int spoke = 0; spoke < spokes; ++spoke) {
        for (double r = -30; r <= 30; r += 0.5) {
            radial.k[0].push_back(r * std::cos(pi * spoke / spokes));
            radial.k[1].push_back(r * std::sin(pi * spoke / spokes));
            radial.k[2].push_back(0);
        }
    }
    // 95 % of the points within 3/4 cycle of a sample: a little less than twice the radius of the Nyquist condition
    const MeasuredRegion measured = CalibrationRegion::covered_by(radial, {60, 60, 1}, 24);
    const CalibrationRegion& region = measured.region;
    EXPECT_GT(region.radius[0], 8);
    EXPECT_LT(region.radius[0], 16);
    EXPECT_EQ(region.radius[2], 0);
    EXPECT_EQ(region.box(), Shape({{"kx", 2 * static_cast<Index>(region.radius[0]) + 1},
                                   {"ky", 2 * static_cast<Index>(region.radius[1]) + 1},
                                   {"kz", 1}}));
    EXPECT_EQ(CalibrationRegion::covered_by(radial, {60, 8, 1}, 6).region.radius[1], 4);  // half of the matrix
    EXPECT_GE(measured.part, 0.95);
    EXPECT_EQ(measured.part, region.part_covered_by(radial)) << "a second look sees what the first saw";
}

TEST(CalibrationRegionTest, LinesThatAreLeftOutAreNotCovered) {
    const auto part_with_every = [](int step) {
        Trajectory lines;
        for (int y = -32; y < 32; y += step) {
            for (int x = -32; x < 32; ++x) {
                lines.k[0].push_back(x);
                lines.k[1].push_back(y);
                lines.k[2].push_back(0);
            }
        }
        const MeasuredRegion measured = CalibrationRegion::covered_by(lines, {64, 64, 1}, 12);
        EXPECT_EQ(measured.part, measured.region.part_covered_by(lines));
        return measured.part;
    };
    constexpr double of_the_disc = 0.12;  // what lines through the middle of a small one hold more than others
    EXPECT_EQ(part_with_every(1), 1);
    EXPECT_NEAR(part_with_every(2), 1.0 / 2, of_the_disc);
    EXPECT_NEAR(part_with_every(3), 1.0 / 3, of_the_disc);
}

TEST(CalibrationKspace, OfHalfCyclesHasThatOfWholeOnesInIt) {
    for (const PerAxis<Index>& matrix : {PerAxis<Index>{20, 17, 1}, PerAxis<Index>{12, 10, 9}}) {
        const std::vector<cfloat> images = test::coil_images(matrix, 3);
        const std::vector<cdouble> wide(images.begin(), images.end());
        const CalibrationRegion region = CalibrationRegion::of_radius(matrix, 4.5);
        const CalibrationKspace whole = cartesian_kspace(std::span<const cdouble>(wide), matrix, region);
        const CalibrationKspace halves = cartesian_kspace(std::span<const cdouble>(wide), matrix, region, 2);
        EXPECT_EQ(halves.step(), 0.5);
        const CalibrationKspace found = halves.at_whole_cycles();
        EXPECT_EQ(found.region.radius, whole.region.radius);
        EXPECT_LT(test::relative_difference(found.values, whole.values), 1e-12);
    }
}

}  // namespace
}  // namespace recon
