#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <fstream>

#include "core/base/error.hpp"
#include "data/describe_file.hpp"
#include "data/formats/bart/bart_file.hpp"
#include "data/formats/bart/bart_writer.hpp"
#include "data/reading/array_reader.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

BartExtents extents(std::initializer_list<Index> first) {
    BartExtents all;
    all.fill(1);
    std::copy(first.begin(), first.end(), all.begin());
    return all;
}

/// 1, 2, 3, ... as real parts.
std::vector<cfloat> counted(Index count) {
    std::vector<cfloat> values;
    for (Index i = 1; i <= count; ++i) {
        values.emplace_back(static_cast<float>(i));
    }
    return values;
}

class Bart : public ::testing::Test {
protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    static ScanReadOptions along(const std::string& trajectory) {
        ScanReadOptions options;
        options.trajectory_path = trajectory;
        return options;
    }
    test::TemporaryFolder folder_;
};

TEST_F(Bart, AxesOfADescriptionHaveTheirNames) {
    write_bart(file("k.cfl"), extents({1, 6, 5, 2}), counted(60));
    EXPECT_NE(describe_file(file("k.cfl")).find("[COIL 2, PHS2 5, PHS1 6]"), std::string::npos)
        << describe_file(file("k.cfl"));
}

TEST_F(Bart, WhatIsWrittenIsReadAgain) {
    Scan scan = test::sample_scan({.matrix = {6, 4, 1}, .coils = 3, .frames = 2});
    write_bart_scan(scan, file("k"));
    ScanReadOptions options = along(file("k-trajectory.cfl"));
    options.matrix_size = scan.geometry.matrix_size;
    const Scan read = read_scan(file("k.cfl"), options);
    ASSERT_EQ(read.frames.size(), 2U);
    EXPECT_EQ(read.coil_count, 3);
    EXPECT_EQ(read.samples_per_readout, scan.samples_per_readout);
    for (std::size_t f = 0; f < 2; ++f) {
        EXPECT_EQ(read.frames[f].trajectory->k, scan.frames[f].trajectory->k);
        ASSERT_EQ(read.frames[f].kspace.size(), scan.frames[f].kspace.size());
        for (std::size_t i = 0; i < read.frames[f].kspace.size(); ++i) {
            EXPECT_LT(std::abs(read.frames[f].kspace[i] - scan.frames[f].kspace[i]), 1e-6);
        }
    }
    EXPECT_EQ(read_coil_maps(file("k-coil-maps.cfl"), scan.geometry.matrix_size, 3).values, scan.coil_maps);
}

TEST_F(Bart, EachFrameHasItsDataAndPositions) {
    BartExtents of_kspace = extents({1, 2, 3, 2}), of_positions = extents({3, 2, 3});
    of_kspace[bart_echo] = 2, of_kspace[bart_time] = 3;
    of_positions[bart_time] = 3;
    write_bart(file("k"), of_kspace, counted(2 * 3 * 2 * 2 * 3));
    write_bart(file("t"), of_positions, counted(3 * 6 * 3));
    ScanReadOptions options = along(file("t.cfl"));
    options.matrix_size = PerAxis<Index>{128, 128, 128};
    const Scan scan = read_scan(file("k.hdr"), options);
    ASSERT_EQ(scan.frames.size(), 6U);
    const float scale = std::sqrt(128.F * 128.F * 128.F);
    for (const Frame& frame : scan.frames) {
        const Index block = frame.label.contrast + 2 * frame.label.repetition;
        Frame loaded = frame;
        loaded.load();
        EXPECT_FLOAT_EQ(loaded.kspace[0].real(), scale * static_cast<float>(12 * block + 1));
        EXPECT_EQ(loaded.trajectory->k[1][0], static_cast<double>(18 * frame.label.repetition + 2));
    }
}

TEST_F(Bart, TheMatrixIsTwiceTheFarthestPosition) {
    write_bart(file("k"), extents({1, 2, 1, 1}), counted(2));
    write_bart(file("t"), extents({3, 2, 1}), {-31.5F, 3, 0, 31.5F, -24, 0});
    const Scan scan = read_scan(file("k.cfl"), along(file("t.cfl")));
    EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{64, 48, 1}));
}

TEST_F(Bart, AGridGivesThePositionsOfWhatIsNotZero) {
    std::vector<cfloat> grid(4 * 3 * 2);
    grid[1 + 4 * 2] = 5;            // x 1, y 2 of coil 0
    grid[12 + 3 + 4 * 0] = {0, 1};  // x 3, y 0 of coil 1
    write_bart(file("k"), extents({4, 3, 1, 2}), grid);
    const Scan scan = read_scan(file("k.cfl"));
    const Frame& frame = scan.frames.front();
    EXPECT_EQ(frame.trajectory->k[0], (std::vector<double>{1, -1}));
    EXPECT_EQ(frame.trajectory->k[1], (std::vector<double>{-1, 1}));
    const float scale = std::sqrt(12.F);
    EXPECT_EQ(frame.kspace, (std::vector<cfloat>{0, 5 * scale, {0, scale}, 0}));
}

TEST_F(Bart, ImagesKeepTheirAxes) {
    Image image;
    image.geometry.matrix_size = {3, 2, 1};
    image.frames.assign(2, ImageFrame{});
    image.voxels = counted(12);
    write_bart_image(image, file("i.cfl"));
    const Image read = read_placed_image(file("i.cfl")).image;
    EXPECT_EQ(read.geometry.matrix_size, image.geometry.matrix_size);
    EXPECT_EQ(read.frame_count(), 2);
    EXPECT_EQ(read.voxels, image.voxels);
}

/// Two contrasts of three slices: BART's first dimension of these is the contrast, ours the slice.
TEST_F(Bart, FramesOfImagesKeepTheirDimensions) {
    Image image;
    image.geometry.matrix_size = {1, 2, 1};
    image.frames.clear();
    for (Index contrast = 0; contrast < 2; ++contrast) {
        for (Index slice = 4; slice < 7; ++slice) {
            image.frames.push_back({.label = {.contrast = contrast, .slice = slice}, .orientation = std::nullopt});
        }
    }
    image.voxels = counted(12);
    write_bart_image(image, file("i"));
    const BartFile written = open_bart(file("i.cfl"));
    EXPECT_EQ(written.text(), "PHS1 2, TE 2, SLICE 3");
    EXPECT_EQ(written.read(), (std::vector<cfloat>{1, 2, 7, 8, 3, 4, 9, 10, 5, 6, 11, 12}));
    const Image read = read_placed_image(file("i.cfl")).image;
    EXPECT_EQ(read.voxels, image.voxels);
    EXPECT_EQ(read.frames[4].label, (FrameLabel{.contrast = 1, .slice = 1}));

    image.frames.pop_back(), image.voxels.resize(10);  // one slice has one contrast only
    write_bart_image(image, file("i"));
    EXPECT_EQ(open_bart(file("i.cfl")).text(), "PHS1 2, TIME 5");
}

TEST_F(Bart, FramesOfScansKeepTheirDimensions) {
    Scan scan = test::sample_scan({.matrix = {6, 4, 1}, .coils = 2, .frames = 4});
    for (std::size_t i = 0; i < 4; ++i) {
        const auto number = static_cast<Index>(i);
        scan.frames[i].label = {.set = number / 2, .slice = number % 2};
    }
    write_bart_scan(scan, file("k"));
    ScanReadOptions options = along(file("k-trajectory.cfl"));
    options.matrix_size = scan.geometry.matrix_size;
    const Scan read = read_scan(file("k.cfl"), options);
    for (std::size_t i = 0; i < 4; ++i) {
        EXPECT_EQ(read.frames[i].label, scan.frames[i].label);
        Frame frame = read.frames[i];
        frame.load();
        EXPECT_LT(std::abs(frame.kspace[5] - scan.frames[i].kspace[5]), 1e-6);
    }
}

TEST_F(Bart, CoilMapsMayBeOfSlicesButNotOfSets) {
    BartExtents of_slices = extents({3, 2, 1, 2}), of_sets = of_slices;
    of_slices[bart_slice] = 2, of_sets[bart_maps] = 2;
    write_bart(file("slices"), of_slices, counted(24));
    write_bart(file("sets"), of_sets, counted(24));
    const StoredCoilMaps maps = read_coil_maps(file("slices.cfl"), {3, 2, 1}, 2);
    EXPECT_EQ(maps.values, counted(24));
    EXPECT_EQ(maps.slices, (std::vector<Index>{0, 1}));
    expect_error<InputError>(
        [&] {
            read_coil_maps(file("sets.cfl"), {3, 2, 1}, 2);
        },
        {"[MAPS 2, COIL 2, PHS1 2, READ 3]", "bart slice 4 0 " + file("sets") + " one"});
    expect_error<InputError>(
        [&] {
            read_coil_maps(file("slices.cfl"), {3, 3, 1}, 2);
        },
        {"[SLICE 2, COIL 2, PHS1 2, READ 3]", "`matrix`"});
}

TEST_F(Bart, WhatIsMissingIsSaidWithItsOption) {
    write_bart(file("k"), extents({1, 4, 2, 2}), counted(16));
    write_bart(file("t"), extents({3, 4, 1}), counted(12));
    expect_error<InputError>([&] { read_scan(file("k.cfl")); }, {"READ 1", "`trajectory`"});
    expect_error<InputError>([&] { read_scan(file("t.cfl")); }, {"READ 3", "`trajectory`"});
    expect_error<InputError>([&] { read_scan(file("k.cfl"), along(file("t.cfl"))); }, {"4 positions", "expected 8"});
    expect_error<InputError>([&] { read_scan(file("k.cfl"), along(file("none"))); }, {"none", "no such file"});
    BartExtents averages = extents({1, 4, 1, 2});
    averages[14] = 2;
    write_bart(file("a"), averages, counted(16));
    expect_error<InputError>([&] { read_scan(file("a.cfl"), along(file("t.cfl"))); }, {"AVG 2", "bart slice 14 0"});
}

TEST_F(Bart, DamagedFilesAreRefused) {
    write_bart(file("k"), extents({1, 4, 2, 2}), counted(16));
    std::filesystem::resize_file(file("k.cfl"), 100);
    expect_error<InputError>([&] { open_bart(file("k.cfl")); }, {"100 bytes", "expected 128"});
    for (const char* bad : {"# Dimensions\n", "# Dimensions\n4 x\n", "# Dimensions\n0 4\n",
                            "# Dimensions\n4000000000 4000000000 4000000000\n"}) {
        std::ofstream(file("k.hdr")) << bad;
        expect_error<InputError>([&] { open_bart(file("k.cfl")); }, {"k.hdr"});
    }
}

}  // namespace
}  // namespace recon
