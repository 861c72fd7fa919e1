#include "data/reading/stored/trajectory_unit.hpp"

#include <gtest/gtest.h>

#include <numbers>
#include <utility>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"

namespace recon {
namespace {

using test::expect_error;
using Unit = TrajectoryUnit;

Geometry geometry_of(PerAxis<Index> matrix, PerAxis<double> field_of_view_mm) { return {matrix, field_of_view_mm, {}}; }

struct GuessCase {
    const char* name;
    PerAxis<double> extent;
    PerAxis<Index> matrix;
    PerAxis<double> field_of_view_mm;
    Unit expected;
};

class GuessTest : public ::testing::TestWithParam<GuessCase> {};

TEST_P(GuessTest, TheUnitThatFitsTheBandIsTaken) {
    const GuessCase& c = GetParam();
    EXPECT_EQ(name_of(guess_trajectory_unit(c.extent, geometry_of(c.matrix, c.field_of_view_mm), "f")),
              name_of(c.expected));
}

INSTANTIATE_TEST_SUITE_P(
    , GuessTest,
    ::testing::Values(
        GuessCase{"cardiac", {0.5, 0.5, 0}, {256, 256, 1}, {256, 256, 8}, Unit::cycles_per_voxel},
        GuessCase{"xenon", {29.2, 29.2, 29.2}, {64, 64, 64}, {400, 400, 400}, Unit::cycles_per_fov},
        GuessCase{"spiral", {249.6, 249.5, 0}, {192, 192, 1}, {384, 384, 5}, Unit::cycles_per_metre},
        GuessCase{"radians", {3.14159, 3.14, 0}, {128, 128, 1}, {256, 256, 5}, Unit::radians_per_voxel},
        GuessCase{"radians_per_metre", {1568, 1568, 0}, {128, 128, 1}, {256, 256, 5}, Unit::radians_per_metre},
        GuessCase{"no_field_of_view", {63, 60, 0}, {128, 128, 1}, {0, 0, 0}, Unit::cycles_per_fov},
        GuessCase{"half_of_a_small_band", {5.97, 4.97, 0}, {24, 20, 1}, {0, 0, 0}, Unit::cycles_per_fov},
        GuessCase{"half_the_band", {0.25, 0.25, 0}, {128, 128, 1}, {200, 200, 5}, Unit::cycles_per_voxel},
        GuessCase{"one_axis_reaches_the_edge", {0.05, 0.5, 0}, {128, 128, 1}, {256, 256, 5}, Unit::cycles_per_voxel},
        GuessCase{"slightly_beyond", {34, 34, 0}, {64, 64, 1}, {256, 256, 5}, Unit::cycles_per_fov},
        GuessCase{"the_single_voxel_axis_is_ignored", {32, 32, 9999}, {64, 64, 1}, {256, 256, 5}, Unit::cycles_per_fov},
        // 1 m of field of view: cycles/FOV and 1/m are the same numbers
        GuessCase{"same_numbers", {32, 32, 0}, {64, 64, 1}, {1000, 1000, 5}, Unit::cycles_per_fov},
        GuessCase{"one_dimension", {0.5, 0, 0}, {33, 1, 1}, {0, 0, 0}, Unit::cycles_per_voxel}),
    [](const auto& info) { return info.param.name; });

TEST(TrajectoryUnitTest, AmbiguousAndHopelessRangesAreErrorsThatSayWhatToDo) {
    // N = 6: 3 cycles/FOV and 3.14 rad/voxel are next to each other.
    expect_error<InputError>(
        [] {
            guess_trajectory_unit({3, 3, 0}, geometry_of({6, 6, 1}, {0, 0, 0}), "scan.h5");
        },
        {"scan.h5", "ambiguous", "up to 3, 3, 0", "cycles/FOV", "rad/voxel", "`trajectory_unit`"});
    // 0.8 m: 30 cycles/FOV would be 0.94 of the band, 30/m 0.75 of it.
    expect_error<InputError>(
        [] {
            guess_trajectory_unit({30, 30, 0}, geometry_of({64, 64, 1}, {800, 800, 5}), "f");
        },
        {"ambiguous", "1/m"});
    expect_error<InputError>(
        [] {
            guess_trajectory_unit({5, 5, 0}, geometry_of({64, 64, 1}, {0, 0, 0}), "f");
        },
        {"cannot be told"});
    // A matrix that is smaller than was measured, down to a half: 16/m of 240 mm would be .27 to .48 of the band.
    for (const Index size : {28, 24, 20, 16}) {
        expect_error<InputError>(
            [&] {
                guess_trajectory_unit({16, 16, 0}, geometry_of({size, size, 1}, {240, 240, 5}), "f");
            },
            {"ambiguous", "cycles/FOV", "1/m"});
        expect_error<InputError>(
            [&] {
                guess_trajectory_unit({16, 16, 0}, geometry_of({size, size, 1}, {0, 0, 0}), "f");
            },
            {"cannot be told"});
    }
    // Positions that were divided by the largest may be read as rad/voxel of a third of the band.
    for (const double extent : {0.9, 1.0, 1.04}) {
        expect_error<InputError>(
            [&] {
                guess_trajectory_unit({extent, extent, 0}, geometry_of({64, 64, 1}, {0, 0, 0}), "f");
            },
            {"ambiguous", "rad/voxel", "k/kmax"});
    }
    // With voxels of 2.5 mm cycles per voxel of two fifths of the band are cycles per mm of all of it.
    for (const auto& [extent, unit] : {std::pair(0.2, "1/mm"), std::pair(0.2 * 2 * std::numbers::pi, "rad/mm")}) {
        expect_error<InputError>(
            [&, at = extent] {
                guess_trajectory_unit({at, at, 0}, geometry_of({96, 96, 1}, {240, 240, 5}), "f");
            },
            {"ambiguous", "/voxel", unit});
    }
    for (const double extent : {0.0, 1e30}) {
        expect_error<InputError>(
            [&] {
                guess_trajectory_unit({extent, 0, 0}, geometry_of({64, 64, 1}, {256, 256, 5}), "scan.h5");
            },
            {"cannot be told", "`trajectory_unit`", "64 x 64 x 1", "256 x 256 x 5 mm"});
    }
}

TEST(TrajectoryUnitTest, WhatIsAskedForBeatsWhatIsStatedBeatsTheRange) {
    const Geometry geometry = geometry_of({64, 64, 1}, {256, 256, 5});
    const PerAxis<double> extent{32, 32, 0};
    EXPECT_EQ(decide_trajectory_unit(Unit::radians_per_metre, Unit::cycles_per_voxel, "header", extent, geometry, "f"),
              Unit::radians_per_metre);
    EXPECT_EQ(decide_trajectory_unit({}, Unit::cycles_per_voxel, "header", extent, geometry, "f"),
              Unit::cycles_per_voxel);
    EXPECT_EQ(decide_trajectory_unit({}, {}, "", extent, geometry, "f"), Unit::cycles_per_fov);
    expect_error<InputError>(
        [&] {
            decide_trajectory_unit({}, Unit::cycles_per_metre, "header", extent, geometry_of({64, 64, 1}, {0, 0, 0}),
                                   "f");
        },
        {"1/m", "header", "field of view", "`fov`"});
}

TEST(TrajectoryUnitTest, SpellingsAreRecognised) {
    EXPECT_EQ(recognise_trajectory_unit("Cycles / FOV"), Unit::cycles_per_fov);
    EXPECT_EQ(recognise_trajectory_unit("radians"), Unit::radians_per_voxel);
    EXPECT_EQ(recognise_trajectory_unit("1/meter"), Unit::cycles_per_metre);
    EXPECT_FALSE(recognise_trajectory_unit("furlongs"));
    EXPECT_EQ(recognise_trajectory_unit("cycles / mm"), Unit::cycles_per_millimetre);
    for (const Unit unit :
         {Unit::cycles_per_fov, Unit::cycles_per_voxel, Unit::radians_per_voxel, Unit::parts_of_kmax,
          Unit::cycles_per_metre, Unit::radians_per_metre, Unit::cycles_per_millimetre, Unit::radians_per_millimetre}) {
        EXPECT_EQ(parse_trajectory_unit(name_of(unit)), unit);
    }
    expect_error<UsageError>([] { parse_trajectory_unit("furlongs"); }, {"furlongs", "cycles/FOV", "rad/m"});
}

TEST(TrajectoryUnitTest, FactorsFollowFromMatrixAndFieldOfView) {
    const Geometry geometry = geometry_of({64, 32, 1}, {256, 500, 5});
    EXPECT_EQ(factor_to_cycles_per_fov(Unit::cycles_per_fov, geometry), (PerAxis<double>{1, 1, 1}));
    EXPECT_EQ(factor_to_cycles_per_fov(Unit::cycles_per_voxel, geometry), (PerAxis<double>{64, 32, 1}));
    EXPECT_EQ(factor_to_cycles_per_fov(Unit::cycles_per_metre, geometry), (PerAxis<double>{0.256, 0.5, 0.005}));
    EXPECT_DOUBLE_EQ(factor_to_cycles_per_fov(Unit::radians_per_voxel, geometry)[0], 64 / (2 * pi));
    EXPECT_DOUBLE_EQ(factor_to_cycles_per_fov(Unit::radians_per_metre, geometry)[1], 0.5 / (2 * pi));
    EXPECT_EQ(factor_to_cycles_per_fov(Unit::parts_of_kmax, geometry), (PerAxis<double>{32, 16, 0.5}));
    EXPECT_DOUBLE_EQ(factor_to_cycles_per_fov(Unit::cycles_per_millimetre, geometry)[1], 500);
    EXPECT_DOUBLE_EQ(factor_to_cycles_per_fov(Unit::radians_per_millimetre, geometry)[0], 256 / (2 * pi));
}

}  // namespace
}  // namespace recon
