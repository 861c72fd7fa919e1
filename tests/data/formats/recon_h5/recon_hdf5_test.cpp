#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/log_binding.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/recon_hdf5_file.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

using test::expect_error;
using test::ReconHdf5Test;
using test::sample_scan;
using test::SampleScanShape;

void expect_equal(const Scan& found, const Scan& expected) {
    EXPECT_EQ(found.geometry.matrix_size, expected.geometry.matrix_size);
    EXPECT_EQ(found.geometry.field_of_view_mm, expected.geometry.field_of_view_mm);
    ASSERT_EQ(found.geometry.orientation.has_value(), expected.geometry.orientation.has_value());
    if (found.geometry.orientation) {
        EXPECT_EQ(found.geometry.orientation->centre_mm, expected.geometry.orientation->centre_mm);
        EXPECT_EQ(found.geometry.orientation->x_direction, expected.geometry.orientation->x_direction);
        EXPECT_EQ(found.geometry.orientation->y_direction, expected.geometry.orientation->y_direction);
        EXPECT_EQ(found.geometry.orientation->z_direction, expected.geometry.orientation->z_direction);
    }
    EXPECT_EQ(found.coil_count, expected.coil_count);
    EXPECT_EQ(found.samples_per_readout, expected.samples_per_readout);
    EXPECT_EQ(found.coil_maps, expected.coil_maps);
    EXPECT_EQ(found.off_resonance_hz, expected.off_resonance_hz);
    EXPECT_EQ(found.noise, expected.noise);
    ASSERT_EQ(found.frames.size(), expected.frames.size());
    for (std::size_t f = 0; f < found.frames.size(); ++f) {
        EXPECT_EQ(found.frames[f].label, expected.frames[f].label);
        EXPECT_EQ(found.frames[f].trajectory->k, expected.frames[f].trajectory->k);
        EXPECT_EQ(found.frames[f].kspace, expected.frames[f].kspace);
        EXPECT_EQ(found.frames[f].density_weights, expected.frames[f].density_weights);
        EXPECT_EQ(found.frames[f].sample_times_s, expected.frames[f].sample_times_s);
    }
}

TEST_F(ReconHdf5Test, WhatIsWrittenIsRead) {
    for (const SampleScanShape& shape :
         {SampleScanShape{}, SampleScanShape{{8, 7, 1}, 1, 3, 5, 1}, SampleScanShape{{4, 4, 4}, 3, 2, 11, 3},
          SampleScanShape{{5, 1, 1}, 1, 1, 1, 1}}) {
        const Scan scan = sample_scan(shape);
        write_scan(scan, path);
        const Scan read = read_scan(path);
        expect_equal(read, scan);
        EXPECT_EQ(read.format, "recon HDF5");
        EXPECT_EQ(read.frames.back().trajectory, read.frames.front().trajectory) << "one trajectory is shared";
    }
}

TEST_F(ReconHdf5Test, FramesOfUnequalLengthsAndTrajectoriesAreKept) {
    Scan scan = sample_scan({{6, 5, 1}, 2, 4, 7, 3});
    Frame& shorter = scan.frames[1];
    auto trajectory = std::make_shared<Trajectory>();
    for (std::size_t axis = 0; axis < 3; ++axis) {
        const auto& k = shorter.trajectory->k[axis];
        trajectory->k[axis].assign(k.begin(), k.begin() + 21);
    }
    trajectory->k[0][1] = 0.1;  // no float: stored in double
    shorter.trajectory = trajectory;
    shorter.kspace.resize(42);
    shorter.density_weights.resize(21);
    shorter.sample_times_s.clear();
    write_scan(scan, path);
    expect_equal(read_scan(path), scan);

    scan.samples_per_readout = 0;  // ragged
    scan.frames.erase(scan.frames.begin() + 1);
    scan.frames[1].trajectory = std::make_shared<Trajectory>(*scan.frames[1].trajectory);
    const_cast<Trajectory&>(*scan.frames[1].trajectory).k[1][2] = 1.5;
    write_scan(scan, path);
    expect_equal(read_scan(path), scan);
}

TEST_F(ReconHdf5Test, FramesInGroupsAreNumberedWithoutAGapAndInOneUnit) {
    const auto write_groups = [&](const std::vector<std::string>& groups, const std::string& unit_of_last) {
        H5File file = H5File::create(path);
        file.write_attribute("/", "format", "recon-scan");
        file.write_attribute("/", "version", 1);
        file.write_attribute("/", "matrix_size", std::vector<Index>{16, 16});
        for (const std::string& group : groups) {
            file.write(group + "/kspace", {2, 3, 4}, kspace);
            file.write(group + "/trajectory", {3, 4, 2}, positions);
            file.write_attribute(group + "/trajectory", "unit",
                                 group == groups.back() ? unit_of_last : std::string("cycles/FOV"));
        }
        file.close();
    };
    write_groups({"/frame_0", "/frame_1"}, "cycles/FOV");
    EXPECT_EQ(read_scan(path).frames.size(), 2U);
    write_groups({"/frame_0", "/frame_1"}, "rad/m");
    expect_error<InputError>([&] { read_scan(path); }, {path, "/frame_1/trajectory", "rad/m", "cycles/FOV"});
    write_groups({"/frame_0", "/frame_2"}, "cycles/FOV");
    expect_error<InputError>([&] { read_scan(path); }, {path, "/frame_2", "no /frame_1", "gap"});
    write_groups({"/frame_1", "/frame_2"}, "cycles/FOV");
    expect_error<InputError>([&] { read_scan(path); }, {path, "no /frame_0"});
}

TEST_F(ReconHdf5Test, SelectionPicksFrames) {
    const Scan scan = sample_scan({{4, 4, 1}, 2, 3, 4, 4});
    write_scan(scan, path);
    ScanReadOptions options;
    options.selection = FrameSelection("contrast=1-2");
    const Scan read = read_scan(path, options);
    ASSERT_EQ(read.frames.size(), 2);
    EXPECT_EQ(read.frames[1].kspace, scan.frames[2].kspace);
    options.selection = FrameSelection("contrast=9");
    expect_error<InputError>([&] { read_scan(path, options); }, {path, "contrast=9", "contrast 0 to 3"});
}

TEST_F(ReconHdf5Test, FilesMadeByHandNeedLittle) {
    {
        H5File file = H5File::create(path);
        write_minimal(file);
        file.write("/sample_times_s", std::vector<float>{1, 2, 3, 4});
    }
    const Scan scan = read_scan(path);
    EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{16, 16, 1}));
    EXPECT_EQ(scan.coil_count, 2);
    EXPECT_EQ(scan.samples_per_readout, 4);
    EXPECT_EQ(scan.frames[0].trajectory->k[1], std::vector<double>(12, -8)) << "cycles/FOV, from the range";
    EXPECT_EQ(scan.frames[0].trajectory->k[2], std::vector<double>(12, 0));
    EXPECT_EQ(scan.frames[0].sample_times_s[5], 2) << "one readout's times hold for all";

    H5File file = H5File::create(path);
    file.write("/kspace", {12}, std::vector<cfloat>(12, 1));
    file.write("/trajectory", {12, 1}, std::vector<double>(12, 0.5));
    file.close();
    ScanReadOptions options;
    expect_error<InputError>([&] { read_scan(path); }, {path, "`matrix`"});
    options.matrix_size = {16, 1, 1};
    EXPECT_EQ(read_scan(path, options).frames[0].trajectory->k[0], std::vector<double>(12, 8)) << "cycles/voxel";
}

/// Two extents of k-space are coils and samples, unless the trajectory has them as readouts and samples.
TEST_F(ReconHdf5Test, KspaceOfOneCoilNeedsNoAxisForIt) {
    H5File file = H5File::create(path);
    file.write_attribute("/", "matrix_size", std::vector<Index>{16, 16});
    file.write("/kspace", {3, 4}, std::vector<cfloat>(12, 1));
    file.write("/trajectory", {3, 4, 2}, positions);
    file.close();
    const Scan scan = read_scan(path);
    EXPECT_EQ(scan.coil_count, 1);
    EXPECT_EQ(scan.samples_per_readout, 4);
    EXPECT_EQ(scan.frames[0].sample_count(), 12);
}

TEST_F(ReconHdf5Test, NamesThatAreNotReadAreNamed) {
    const auto lines_of = [&](const std::string& dataset, const std::string& attribute) {
        H5File file = H5File::create(path);
        write_minimal(file);
        file.write("/" + dataset, std::vector<float>(12, 1));
        if (attribute != "format") {  // which is there
            file.write_attribute("/", attribute, 220);
        }
        file.close();
        Log log(LogLevel::off);
        const LogBinding bound(&log);
        read_scan(path);
        return log.history();
    };
    using ::testing::AllOf, ::testing::Contains, ::testing::HasSubstr, ::testing::Not;
    const auto meant = [](const std::string& name, const std::string& right) {
        return Contains(AllOf(HasSubstr("warning"), HasSubstr(name), HasSubstr("did you mean " + right + "?")));
    };
    EXPECT_THAT(lines_of("density_weight", "fieldOfViewMM"),
                AllOf(meant("dataset density_weight", "density_weights"), meant("fieldOfViewMM", "field_of_view_mm")));
    EXPECT_THAT(lines_of("coilmaps", "comment"),
                AllOf(meant("dataset coilmaps", "coil_maps"),
                      Contains(HasSubstr("not part of the layout, and not read: comment"))));
    EXPECT_THAT(lines_of("truth", "operator"), Not(Contains(HasSubstr("did you mean"))));
    EXPECT_THAT(lines_of("density_weights", "format"), Not(Contains(HasSubstr("not read"))));
}

TEST_F(ReconHdf5Test, StatedUnitsAreConverted) {
    const auto read_with = [&](const std::string& unit, double k) {
        H5File file = H5File::create(path);
        std::fill(positions.begin(), positions.end(), k);
        write_minimal(file);
        file.write_attribute("/trajectory", "unit", unit);
        file.write_attribute("/", "field_of_view_mm", std::vector<double>{400, 400, 5});
        file.close();
        return read_scan(path).frames[0].trajectory->k[0][0];
    };
    EXPECT_DOUBLE_EQ(read_with("cycles/FOV", 1.5), 1.5);
    EXPECT_DOUBLE_EQ(read_with("cycles/voxel", 0.25), 4);
    EXPECT_DOUBLE_EQ(read_with("rad/voxel", pi / 2), 4);
    EXPECT_DOUBLE_EQ(read_with("1/m", 5), 2);
    EXPECT_DOUBLE_EQ(read_with("rad/m", 10 * pi), 2);
}

TEST_F(ReconHdf5Test, AnUnknownUnitIsWarnedOf) {
    H5File file = H5File::create(path);
    write_minimal(file);
    file.write_attribute("/trajectory", "unit", "furlongs");
    file.close();
    Log log(LogLevel::off);
    {
        const LogBinding bound(&log);
        read_scan(path);
    }
    const auto lines = log.history();
    EXPECT_TRUE(std::any_of(lines.begin(), lines.end(), [](const std::string& line) {
        return line.find("warning") != std::string::npos && line.find("\"furlongs\"") != std::string::npos;
    }));
}

TEST_F(ReconHdf5Test, MatrixAndFieldOfViewCanBeChosen) {
    const Scan scan = sample_scan({{8, 8, 1}, 1, 4, 6, 1});
    write_scan(scan, path);
    ScanReadOptions options;
    options.matrix_size = {12, 12, 1};
    options.field_of_view_mm = {360, 300, 33};
    const Scan read = read_scan(path, options);
    EXPECT_EQ(read.geometry.matrix_size, *options.matrix_size);
    EXPECT_EQ(read.geometry.field_of_view_mm, *options.field_of_view_mm);
    EXPECT_DOUBLE_EQ(read.frames[0].trajectory->k[0][0], -6) << "1.5 times the field of view";
    EXPECT_TRUE(read.coil_maps.empty());
    // Voxels keep their size: the field map's lie among the new ones, two from each border; it says nothing beyond.
    ASSERT_EQ(read.off_resonance_hz.size(), 144U);
    for (Index y = 0; y < 12; ++y) {
        for (Index x = 0; x < 12; ++x) {
            const bool inside = x >= 2 && x < 10 && y >= 2 && y < 10;
            const float expected = inside ? scan.off_resonance_hz[(y - 2) * 8 + (x - 2)] : 0.0F;
            EXPECT_NEAR(read.off_resonance_hz[y * 12 + x], expected, 1e-4) << x << " " << y;
        }
    }
}

TEST_F(ReconHdf5Test, SamplesBeyondTheBandAreDroppedWhereTheyAreFarOrItIsAsked) {
    Scan scan = sample_scan({{8, 8, 1}, 2, 2, 3, 1});
    auto trajectory = std::make_shared<Trajectory>();
    trajectory->k = {std::vector<double>{0, 4, 4.1, -4, -4.1, 1}, std::vector<double>{0, 0, 0, 0, 0, 5},
                     std::vector<double>(6, 0)};
    scan.frames[0].trajectory = trajectory;
    write_scan(scan, path);
    ScanReadOptions options;
    Log log;
    const LogBinding bound(&log);
    EXPECT_EQ(read_scan(path, options).frames[0].sample_count(), 3);  // 5 is beyond 1.1 times the edge
    EXPECT_THAT(log_history(),
                ::testing::Contains(::testing::HasSubstr(
                    "3 of 6 samples lie beyond the band of a 8 x 8 x 1 image, up to 1.25 times its edge, "
                    "and are dropped (`outside`); a larger `matrix`")));
    options.out_of_band = OutOfBand::keep;
    EXPECT_EQ(read_scan(path, options).frames[0].sample_count(), 6);
    options.out_of_band = OutOfBand::drop;
    const Frame frame = read_scan(path, options).frames[0];
    EXPECT_EQ(frame.trajectory->k[0], (std::vector<double>{0, 4, -4}));
    const auto& all = scan.frames[0].kspace;
    EXPECT_EQ(frame.kspace, (std::vector<cfloat>{all[0], all[1], all[3], all[6], all[7], all[9]}));
    EXPECT_EQ(frame.density_weights.size(), 3);

    trajectory->k[1].back() = 4.3;
    write_scan(scan, path);
    EXPECT_EQ(read_scan(path, {}).frames[0].sample_count(), 6);  // no farther than rounding and delays reach
}

}  // namespace
}  // namespace recon
