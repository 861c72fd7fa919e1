// Files that were written by hand, with what people get wrong in them.
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <hdf5.h>

#include <functional>
#include <limits>

#include "core/base/error.hpp"
#include "core/base/log_binding.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/npy/npy_array.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;
using ::testing::Contains, ::testing::HasSubstr, ::testing::Not;

class ReconHdf5ByHand : public ::testing::Test {
protected:
    /// Two coils, three readouts of four samples.
    void write(const std::function<void(H5File&)>& more, bool has_trajectory = true) const {
        H5File file = H5File::create(path_);
        file.write_attribute("/", "matrix_size", std::vector<Index>{6, 5});
        file.write("/kspace", {2, 3, 4}, std::vector<cfloat>(24, cfloat(1)));
        if (has_trajectory) {
            file.write("/trajectory", {3, 4, 2}, std::vector<double>(24, 0.4));  // of a voxel
        }
        more(file);
        file.close();
    }
    std::vector<std::string> lines_of(const std::function<void(H5File&)>& more) const {
        write(more);
        Log log(LogLevel::off);
        const LogBinding bound(&log);
        read_scan(path_);
        return log.history();
    }

    test::TemporaryFolder folder_;
    const std::string path_ = folder_ / "scan.h5";
};

TEST_F(ReconHdf5ByHand, NamesOfOtherProgramsAreTold) {
    const auto lines = lines_of([](H5File& file) {
        file.write("/csm", {2, 5, 6}, std::vector<cfloat>(60, cfloat(1)));
        file.write("/dcf", {12}, std::vector<float>(12, 1));
        file.write("/b0_map", {5, 6}, std::vector<float>(30, 1));
        file.write_attribute("/", "fov", 220);
        file.write_attribute("/trajectory", "units", "cycles/FOV");
    });
    for (const char* const meant :
         {"dataset csm is not known to the layout, and not read; did you mean coil_maps?",
          "dataset dcf is not known to the layout, and not read; did you mean density_weights?",
          "dataset b0_map is not known to the layout, and not read; did you mean off_resonance_hz?",
          "attribute fov is not known to the layout, and not read; did you mean field_of_view_mm?",
          "attribute units of /trajectory is not known to the layout, and not read; did you mean unit?"}) {
        EXPECT_THAT(lines, Contains(HasSubstr(meant)));
    }
    const auto with_maps = lines_of([](H5File& file) {
        file.write("/csm", {2, 5, 6}, std::vector<cfloat>(60, cfloat(1)));
        file.write("/coil_maps", {2, 5, 6}, std::vector<cfloat>(60, cfloat(1)));
    });
    EXPECT_THAT(with_maps, Not(Contains(HasSubstr("did you mean")))) << "which are there";
}

TEST_F(ReconHdf5ByHand, WhatShouldBeADatasetIsNoGroupAndNoLinkToNothing) {
    const auto refused = [&](const std::string& name, const std::function<void(H5File&)>& more) {
        write(more);
        expect_error<InputError>([&] { read_scan(path_); }, {"/" + name, "expected a dataset"});
    };
    refused("coil_maps is a group", [](H5File& file) { file.write("/coil_maps/real", {3}, std::vector<float>(3)); });
    refused("noise is a group", [](H5File& file) { file.write("/noise/of/two", {3}, std::vector<float>(3)); });
    write([](H5File&) {});
    const hid_t file = H5Fopen(path_.c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    H5Lcreate_soft("/nowhere", file, "coil_maps", H5P_DEFAULT, H5P_DEFAULT);
    H5Fclose(file);
    expect_error<InputError>([&] { read_scan(path_); }, {"/coil_maps is a link to nothing"});
}

TEST_F(ReconHdf5ByHand, AxesOfMapsAreHeldToTheirNames) {
    const auto write_maps = [&](const std::vector<std::string>& axes) {
        write([&](H5File& file) {
            file.write("/coil_maps", {2, 1, 5, 6}, std::vector<cfloat>(60, cfloat(1)));
            file.write_attribute("/coil_maps", "axes", axes);
        });
    };
    write_maps({"coil", "z", "y", "x"});
    EXPECT_EQ(read_scan(path_).coil_maps.size(), 60);
    write_maps({"coil", "z", "x", "y"});
    expect_error<InputError>([&] { read_scan(path_); }, {"/coil_maps", "[coil, z, x, y]", "in this order"});
}

TEST_F(ReconHdf5ByHand, PositionsMayComeFromAFile) {
    write([](H5File&) {}, false);
    expect_error<InputError>([&] { read_scan(path_); }, {"no dataset /trajectory", "`trajectory` names a file"});
    std::vector<double> positions(24);
    for (std::size_t i = 0; i < positions.size(); ++i) {
        positions[i] = 0.1 * static_cast<double>(i);
    }
    const std::string elsewhere = folder_ / "positions.h5";
    const auto write_positions = [&] {
        H5File file = H5File::create(elsewhere);
        file.write("/trajectory", {3, 4, 2}, positions);
        file.close();
    };
    write_positions();
    ScanReadOptions options;
    options.trajectory_path = elsewhere;
    options.trajectory_unit = TrajectoryUnit::cycles_per_fov;
    EXPECT_DOUBLE_EQ(read_scan(path_, options).frames.front().trajectory->k[1][5], 0.1 * 11);
    write([](H5File& file) { file.write("/trajectory", {2, 4, 2}, std::vector<double>(16, 1)); }, false);
    EXPECT_DOUBLE_EQ(read_scan(path_, options).frames.front().trajectory->k[1][5], 0.1 * 11) << "whatever it has";
    positions[7] = std::numeric_limits<double>::quiet_NaN();
    write_positions();
    expect_error<InputError>([&] { read_scan(path_, options); }, {"positions.h5", "1 of 12 positions"});
}

TEST_F(ReconHdf5ByHand, AFieldOfViewInMetresIsDoubted) {
    const auto lines_with = [&](double x_mm) {
        return lines_of([&](H5File& file) {
            file.write_attribute("/", "field_of_view_mm", std::vector<double>{x_mm, x_mm, x_mm / 50});
        });
    };
    EXPECT_THAT(lines_with(0.22), Contains(HasSubstr("is it in metres?")));
    EXPECT_THAT(lines_with(220000), Contains(HasSubstr("is it in micrometres?")));
    EXPECT_THAT(lines_with(220), Not(Contains(HasSubstr("is it in"))));
}

/// /orientation is the place of the first slice of the file.
TEST_F(ReconHdf5ByHand, ASliceThatIsSelectedLiesWhereItLies) {
    std::vector<double> places;
    std::vector<Index> labels;
    for (Index slice = 0; slice < 3; ++slice) {
        for (const double number :
             {0.0, 0.0, 7.0 * static_cast<double>(slice), 1.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0}) {
            places.push_back(number);
        }
        labels.insert(labels.end(), {0, 0, 0, slice, 0});
    }
    H5File file = H5File::create(path_);
    file.write_attribute("/", "matrix_size", std::vector<Index>{6, 5});
    file.write("/kspace", {3, 2, 3, 4}, std::vector<cfloat>(72, cfloat(1)));
    file.write("/trajectory", {3, 4, 2}, std::vector<double>(24, 0.4));
    file.write("/frame_labels", {3, 5}, labels);
    file.write("/orientation", {4, 3}, std::vector<double>(places.begin(), places.begin() + 12));
    file.write("/frame_orientation", {3, 4, 3}, places);
    file.close();
    ScanReadOptions options;
    options.selection = FrameSelection("slice=1-2");
    EXPECT_EQ(read_scan(path_, options).geometry.orientation->centre_mm[2], 7);
    EXPECT_EQ(read_scan(path_).geometry.orientation->centre_mm[2], 0);
}

}  // namespace
}  // namespace recon
