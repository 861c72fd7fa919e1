#include "core/mri/check/scan_fix.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

Scan scan_of_cubes() { return test::sample_scan({.matrix = {5, 5, 5}, .coils = 3, .readouts = 4, .samples = 6}); }

void apply_text(const std::string& text, Scan& scan) {
    for (const ScanFix& fix : parse_scan_fixes(text)) {
        apply(fix, scan);
    }
}

TEST(ScanFix, TextIsReadAsItIsWritten) {
    for (const std::string text :
         {"conjugate", "mirror=x", "mirror=xyz", "swap=yz", "shift=-2", "reverse=all", "reverse=alternate", "scale=0.5",
          "scale=x:0.9", "scale=xz:1.1", "stretch=1.05", "maps-conjugate", "maps-mirror=z", "maps-order=2-0-1"}) {
        const auto fixes = parse_scan_fixes(text);
        ASSERT_EQ(fixes.size(), 1U) << text;
        EXPECT_EQ(fixes[0].text(), text);
        EXPECT_FALSE(fixes[0].mistake().empty());
    }
    EXPECT_EQ(parse_scan_fixes("conjugate,swap=xy").size(), 2U);
}

TEST(ScanFix, NonsenseIsRefusedByName) {
    for (const std::string text :
         {"", "rotate", "mirror=w", "mirror=xx", "swap=x", "shift=one", "scale=-1", "scale=nan", "scale=w:2",
          "scale=:2", "scale=x:", "stretch=0", "stretch=x:2", "reverse=some", "maps-order=0-x", "conjugate=x"}) {
        test::expect_error<UsageError>([&] { parse_scan_fixes(text); }, {"fix '" + text + "'", "expected"});
    }
}

TEST(ScanFix, FixesOfTwoHalvesAreUndoneByThemselves) {
    const Scan scan = scan_of_cubes();
    for (const std::string text : {"conjugate", "mirror=xz", "swap=xy", "reverse=all", "reverse=alternate",
                                   "maps-conjugate", "maps-mirror=xy", "maps-order=1-0-2"}) {
        Scan changed = scan;
        apply_text(text, changed);
        const Frame &before = scan.frames[0], &after = changed.frames[0];
        EXPECT_FALSE(before.kspace == after.kspace && before.trajectory->k == after.trajectory->k &&
                     scan.coil_maps == changed.coil_maps)
            << text;
        apply_text(text, changed);
        EXPECT_EQ(before.kspace, after.kspace) << text;
        for (int axis = 0; axis < 3; ++axis) {
            for (Index m = 0; m < before.sample_count(); ++m) {
                EXPECT_NEAR(before.trajectory->k[axis][m], after.trajectory->k[axis][m], 1e-12) << text;
            }
        }
        EXPECT_EQ(scan.coil_maps, changed.coil_maps) << text;
    }
}

TEST(ScanFix, AScaleOfAnAxisAndAStretchMovePositions) {
    Scan scan = scan_of_cubes();
    const Trajectory before = *scan.frames[0].trajectory;
    apply_text("scale=y:0.5", scan);
    const Trajectory& scaled = *scan.frames[0].trajectory;
    EXPECT_EQ(scaled.k[0], before.k[0]);
    for (std::size_t m = 0; m < before.k[1].size(); ++m) {
        EXPECT_EQ(scaled.k[1][m], 0.5 * before.k[1][m]);
    }
    Scan line;
    auto positions = std::make_shared<Trajectory>();
    positions->k = {std::vector<double>{0, 1, 2, 3, 4, 0, 2, 4, 6, 8}, std::vector<double>(10),
                    std::vector<double>(10)};
    line.frames.resize(1);
    line.frames[0].trajectory = positions;
    line.frames[0].kspace.resize(10);
    line.coil_count = 1;
    line.samples_per_readout = 5;
    apply_text("stretch=1.5", line);
    const std::vector<double> expected{0, 1.5, 3, 4.5, 6, 0, 3, 6, 9, 12};
    for (std::size_t m = 0; m < expected.size(); ++m) {
        EXPECT_NEAR(line.frames[0].trajectory->k[0][m], expected[m], 1e-12);
    }
}

TEST(ScanFix, ConjugateIsForTheNoiseToo) {
    const Scan scan = scan_of_cubes();
    ASSERT_FALSE(scan.noise.empty());
    Scan changed = scan;
    apply_text("conjugate", changed);
    for (std::size_t i = 0; i < scan.noise.size(); ++i) {
        EXPECT_EQ(changed.noise[i], std::conj(scan.noise[i])) << "or it whitens by the covariance of other data";
    }
}

TEST(ScanFix, ShiftMovesTheSamplesOfEachReadoutOfEachCoil) {
    const Scan scan = scan_of_cubes();
    Scan changed = scan;
    apply_text("shift=2", changed);
    const Index length = scan.samples_per_readout;
    for (std::size_t i = 0; i < scan.frames[0].kspace.size(); ++i) {
        const Index s = static_cast<Index>(i) % length;
        EXPECT_EQ(changed.frames[0].kspace[i], scan.frames[0].kspace[i - std::min<Index>(s, 2)]);
    }
}

TEST(ScanFix, MirroredMapsBelongToMirroredPositions) {
    Scan scan = test::sample_scan({.matrix = {4, 3, 1}, .coils = 1});
    const std::vector<cfloat> maps = scan.coil_maps;
    apply_text("maps-mirror=x", scan);
    // positions (i - 2) / 4: index 0 stays, 1 and 3 change places
    EXPECT_EQ(scan.coil_maps[1], maps[3]);
    EXPECT_EQ(scan.coil_maps[0], maps[0]);
    EXPECT_EQ(scan.coil_maps[2], maps[2]);
    apply_text("maps-mirror=y", scan);
    EXPECT_EQ(scan.coil_maps[4 + 2], maps[4 + 2]);  // y = 0
    EXPECT_EQ(scan.coil_maps[2], maps[8 + 2]);
}

TEST(ScanFix, SwappedAxesKeepTheirWavelengths) {
    Scan scan = scan_of_cubes();
    scan.geometry.field_of_view_mm = {200, 100, 50};
    const double along_x = scan.frames[0].trajectory->k[0][3];
    apply_text("swap=xy", scan);
    EXPECT_NEAR(scan.frames[0].trajectory->k[1][3], along_x / 2, 1e-12);  // the same cycles per mm
}

TEST(ScanFix, WhatTheScanLacksIsSaid) {
    Scan scan = scan_of_cubes();
    scan.samples_per_readout = 0;
    test::expect_error<InputError>([&] { apply_text("reverse=all", scan); }, {"reverse=all", "unequal lengths"});
    scan.coil_maps.clear();
    test::expect_error<InputError>([&] { apply_text("maps-conjugate", scan); },
                                   {"maps-conjugate", "without coil maps"});
    Scan flat = test::sample_scan({.matrix = {4, 4, 1}});
    test::expect_error<InputError>([&] { apply_text("mirror=z", flat); }, {"mirror=z", "one voxel along z"});
    test::expect_error<InputError>([&] { apply_text("maps-order=0-1-2", flat); }, {"maps-order", "2 coils"});
    test::expect_error<InputError>([&] { apply_text("maps-order=0-0", flat); }, {"each coil", "once"});
}

}  // namespace
}  // namespace recon
