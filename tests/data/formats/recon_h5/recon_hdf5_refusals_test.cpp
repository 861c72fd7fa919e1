// What is wrong with a file in the project's own layout is said in one line, and nothing of it is read.
#include <gtest/gtest.h>

#include <cmath>
#include <filesystem>
#include <functional>
#include <limits>
#include <numeric>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/recon_hdf5_file.hpp"
#include "tests/support/sample_scan.hpp"

namespace recon {
namespace {

using test::expect_error;
using test::sample_scan;

class ReconHdf5Refusals : public test::ReconHdf5Test {};

TEST_F(ReconHdf5Refusals, WrongShapesAreRefused) {
    const auto expect_refusal = [&](auto&& change, const std::vector<std::string>& parts) {
        const std::string other = folder / "wrong.h5";
        {
            H5File file = H5File::create(other);
            change(file);
        }
        expect_error<InputError>([&] { read_scan(other); }, parts);
    };
    const auto head = [](H5File& file) {
        file.write_attribute("/", "format", "recon-scan");
        file.write_attribute("/", "matrix_size", std::vector<Index>{16, 16});
    };
    expect_refusal(
        [&](H5File& f) {
            head(f);
            f.write("/trajectory", {3, 4, 2}, positions);
        },
        {"no dataset /kspace"});
    expect_refusal(
        [&](H5File& f) {
            head(f);
            f.write("/kspace", {2, 3, 4}, kspace);
        },
        {"no dataset /trajectory"});
    expect_refusal(
        [&](H5File& f) {
            head(f);
            f.write("/kspace", {2, 3, 4}, kspace);
            f.write("/trajectory", {3, 4, 1}, std::vector<float>(12, 1e-9F));
        },
        {"cannot be told", "`trajectory_unit`"});
    expect_refusal(
        [&](H5File& f) {
            head(f);
            f.write("/kspace", {2, 3, 4}, kspace);
            f.write("/trajectory", {3, 3, 2}, std::vector<float>(18));
        },
        {"/trajectory", "float32 [3, 3, 2]", "12 samples", "complex64 [2, 3, 4]"});
    expect_refusal(
        [&](H5File& f) {
            head(f);
            f.write("/kspace", {2, 3, 4}, kspace);
            f.write("/trajectory", {2, 3, 4}, positions);
        },
        {"1 to 3 dimensions"});
    expect_refusal(
        [&](H5File& f) {
            head(f);
            f.write("/kspace", {2, 1, 1, 3, 4}, kspace);
        },
        {"/kspace", "axes"});
    expect_refusal(
        [&](H5File& f) {
            head(f);
            f.write("/kspace", {24}, std::vector<std::string>(24, "1"));
            f.write("/trajectory", {24, 1}, positions);
        },
        {"/kspace", "text", "complex"});
    expect_refusal(
        [&](H5File& f) {
            write_minimal(f);
            f.write("/density_weights", std::vector<float>(5, 1));
        },
        {"/density_weights", "12 samples"});
    expect_refusal(
        [&](H5File& f) {
            write_minimal(f);
            f.write("/density_weights", {3, 4}, std::vector<float>(12, -1));
        },
        {"12 of 12 density weights are negative", "readout 0, sample 0"});
    expect_refusal(
        [&](H5File& f) {
            write_minimal(f);
            f.write("/coil_maps", {2, 4, 5}, std::vector<cfloat>(40, 1));
        },
        {"coil_maps is [2, 4, 5]", "2 coils times [1, 16, 16]"});
    expect_refusal(
        [&](H5File& f) {
            write_minimal(f);
            f.write("/off_resonance_hz", {3, 4}, std::vector<float>(12));
        },
        {"/off_resonance_hz", "[1, 16, 16]"});
    expect_refusal(
        [&](H5File& f) {
            write_minimal(f);
            f.write("/noise", {5}, std::vector<cfloat>(5));
        },
        {"/noise", "2 coils"});
    expect_refusal(
        [&](H5File& f) {
            f.write_attribute("/", "format", "recon-scan");
            f.write_attribute("/", "version", 2);
        },
        {"version 2", "expected version 1"});
    expect_refusal([&](H5File& f) { f.write_attribute("/", "format", "else"); }, {"holds no scan"});
}

TEST_F(ReconHdf5Refusals, ExchangedAxesAreNamed) {
    const auto write = [&](const std::vector<Index>& kspace_extents, const std::vector<Index>& times_extents) {
        H5File file = H5File::create(path);
        file.write_attribute("/", "format", "recon-scan");
        file.write_attribute("/", "matrix_size", std::vector<Index>{16, 16});
        file.write("/kspace", kspace_extents, kspace);
        file.write("/trajectory", {3, 4, 2}, positions);
        file.write("/sample_times_s", times_extents, std::vector<float>(12, 0.001F));
        file.close();
    };
    write({2, 4, 3}, {12});
    expect_error<InputError>([&] { read_scan(path); }, {"/trajectory", "4 readouts of 3 samples", "exchange"});
    write({2, 2, 6}, {12});
    expect_error<InputError>([&] { read_scan(path); }, {"/trajectory", "2 readouts of 6 samples"});
    write({2, 3, 4}, {4, 3});
    expect_error<InputError>([&] { read_scan(path); }, {"/sample_times_s", "3 readouts of 4 samples", "exchange"});
    write({2, 12}, {3, 4});
    EXPECT_EQ(read_scan(path).frames[0].sample_count(), 12);
}

/// As many numbers in other axes: of noise, positions and labels.
TEST_F(ReconHdf5Refusals, ExchangedAxesOfWhatIsBesideTheSamplesAreRefused) {
    const auto write = [&](const std::string& dataset, const std::vector<Index>& extents) {
        H5File file = H5File::create(path);
        file.write_attribute("/", "format", "recon-scan");
        file.write_attribute("/", "matrix_size", std::vector<Index>{16, 16});
        file.write("/kspace", {2, 3, 4}, kspace);
        file.write("/trajectory", {3, 4, 2}, positions);
        const Index count = std::accumulate(extents.begin(), extents.end(), Index{1}, std::multiplies<>());
        if (dataset == "/noise") {
            file.write(dataset, extents, std::vector<cfloat>(count, cfloat(1)));
        } else {
            file.write(dataset, extents, std::vector<double>{0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 0, 1});
        }
        file.close();
    };
    for (const std::vector<Index>& right : {std::vector<Index>{2, 50}, {1, 2, 50}, {100}}) {
        write("/noise", right);
        EXPECT_EQ(read_scan(path).noise.size(), 100);
    }
    for (const std::vector<Index>& wrong : {std::vector<Index>{50, 2}, {4, 50}, {2, 2, 50}}) {
        write("/noise", wrong);
        expect_error<InputError>([&] { read_scan(path); }, {"/noise", "expected [2 coils, samples]"});
    }
    write("/orientation", {4, 3});
    EXPECT_TRUE(read_scan(path).geometry.orientation);
    write("/orientation", {3, 4});
    expect_error<InputError>([&] { read_scan(path); }, {"/orientation", "4 vectors of 3"});
}

TEST_F(ReconHdf5Refusals, ImpossibleSizesAreRefused) {
    for (const auto& [matrix, part] :
         std::vector<std::pair<std::vector<double>, std::string>>{{{0, 4}, "1 to"},
                                                                  {{-3, 4}, "1 to"},
                                                                  {{1e12, 4}, "1 to"},
                                                                  {{60000, 60000, 60000}, "more voxels"},
                                                                  {{4.5, 4}, "whole number"},
                                                                  {{std::nan(""), 4}, "whole number"},
                                                                  {{4, 4, 4, 4}, "4 values"}}) {
        H5File file = H5File::create(path);
        file.write_attribute("/", "matrix_size", matrix);
        file.write("/kspace", {2, 3, 4}, kspace);
        file.write("/trajectory", {3, 4, 2}, positions);
        file.close();
        expect_error<InputError>([&] { read_scan(path); }, {path, "matrix", part});
    }
}

TEST_F(ReconHdf5Refusals, NonFiniteValuesAreCountedAndLocated) {
    const float nan = std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    Scan scan = sample_scan({{6, 5, 3}, 2, 4, 7, 2});
    scan.frames[1].kspace[28 + 7 + 3] = cfloat(0, nan);
    scan.frames[1].kspace[28 + 7 + 5] = cfloat(infinity, 0);
    write_scan(scan, path);
    expect_error<InputError>([&] { read_scan(path); },
                             {path, "2 of 56", "k-space", "contrast 1, coil 1, readout 1, sample 3"});
    scan = sample_scan();
    const_cast<Trajectory&>(*scan.frames[0].trajectory).k[2][8] = nan;
    write_scan(scan, path);
    expect_error<InputError>([&] { read_scan(path); }, {"1 of 28", "trajectory", "readout 1, sample 1"});
    scan = sample_scan();
    scan.coil_maps[90 + 30 + 6 + 1] = nan;
    write_scan(scan, path);
    expect_error<InputError>([&] { read_scan(path); }, {"coil maps", "coil 1, voxel x 1, y 1, z 1"});
    scan = sample_scan();
    scan.off_resonance_hz[2] = infinity;
    write_scan(scan, path);
    expect_error<InputError>([&] { read_scan(path); }, {"field map", "voxel x 2, y 0, z 0"});
    for (const auto values : {&Frame::density_weights, &Frame::sample_times_s}) {
        scan = sample_scan();
        (scan.frames[0].*values)[1] = nan;
        write_scan(scan, path);
        expect_error<InputError>([&] { read_scan(path); }, {"1 of 28", "readout 0, sample 1"});
    }
    scan = sample_scan();
    scan.noise[3] = nan;
    write_scan(scan, path);
    expect_error<InputError>([&] { read_scan(path); }, {"noise", "element 3"});
}

TEST_F(ReconHdf5Refusals, EmptyAndZeroDataAreRefused) {
    Scan scan = sample_scan();
    std::fill(scan.frames[0].kspace.begin(), scan.frames[0].kspace.end(), cfloat(0));
    write_scan(scan, path);
    expect_error<InputError>([&] { read_scan(path); }, {path, "all zero"});
    scan = sample_scan();
    std::fill(scan.coil_maps.begin(), scan.coil_maps.end(), cfloat(0));
    write_scan(scan, path);
    expect_error<InputError>([&] { read_scan(path); }, {"coil maps are all zero"});
    H5File file = H5File::create(path);
    file.write("/kspace", {2, 0}, std::vector<cfloat>{});
    file.write("/trajectory", {0, 2}, std::vector<float>{});
    file.close();
    expect_error<InputError>([&] { read_scan(path); }, {"/kspace is empty"});
}

TEST_F(ReconHdf5Refusals, TruncatedFilesAreRefusedAtAnyLength) {
    write_scan(sample_scan(), path);
    const auto size = std::filesystem::file_size(path);
    for (const double part : {0.0, 0.01, 0.3, 0.7, 0.99}) {
        const std::string cut = folder / "cut.h5";
        std::filesystem::copy_file(path, cut, std::filesystem::copy_options::overwrite_existing);
        std::filesystem::resize_file(cut, static_cast<std::uintmax_t>(part * static_cast<double>(size)));
        EXPECT_THROW(read_scan(cut), InputError) << part;
    }
}

TEST_F(ReconHdf5Refusals, ContradictoryScansAreNotWritten) {
    Scan scan = sample_scan();
    scan.frames[0].kspace.pop_back();
    EXPECT_THROW(write_scan(scan, path), ShapeError);
    scan = sample_scan();
    scan.coil_maps.pop_back();
    EXPECT_THROW(write_scan(scan, path), ShapeError);
    EXPECT_THROW(write_scan(Scan{}, path), ShapeError);
    EXPECT_FALSE(std::filesystem::exists(path));
}

TEST_F(ReconHdf5Refusals, ATrajectoryThatNeverLeavesTheCentreIsNone) {
    const std::string other = folder / "wrong.h5";
    Scan scan = sample_scan({{4, 3, 2}, 2, 3, 4, 1});
    auto trajectory = std::make_shared<Trajectory>(*scan.frames[0].trajectory);
    for (auto& component : trajectory->k) {
        std::fill(component.begin(), component.end(), 0);
    }
    scan.frames[0].trajectory = trajectory;
    write_scan(scan, other);
    expect_error<InputError>([&] { read_scan(other); }, {other, "trajectory", "zero throughout"});
}

TEST_F(ReconHdf5Refusals, PlacesInATrajectoryAreOfNoCoil) {
    const std::string other = folder / "wrong.h5";
    Scan scan = sample_scan({{4, 3, 2}, 2, 3, 4, 1});
    auto trajectory = std::make_shared<Trajectory>(*scan.frames[0].trajectory);
    trajectory->k[1][6] = std::numeric_limits<double>::quiet_NaN();
    scan.frames[0].trajectory = trajectory;
    write_scan(scan, other);
    expect_error<InputError>([&] { read_scan(other); }, {"the trajectory", "the first at readout 1, sample 2"});
}

/// Its image would be the sum of all rows, and look like one.
TEST_F(ReconHdf5Refusals, ATrajectoryInAPlaneHasNoImageOfOneRow) {
    H5File file = H5File::create(path);
    write_minimal(file);
    file.close();
    ScanReadOptions options;
    options.matrix_size = {16, 1, 1};
    expect_error<InputError>([&] { read_scan(path, options); },
                             {path, "moves along y", "matrix is 16 x 1 x 1", "give `matrix` with voxels along y"});
}

}  // namespace
}  // namespace recon
