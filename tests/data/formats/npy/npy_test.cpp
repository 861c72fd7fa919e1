#include <gmock/gmock.h>

#include <fstream>
#include <numeric>
#include <utility>

#include "core/base/error.hpp"
#include "core/base/log_binding.hpp"
#include "data/formats/npy/npy_array.hpp"
#include "data/formats/npy/npy_reader.hpp"
#include "data/formats/npy/npy_writer.hpp"
#include "data/formats/npy/zip_archive.hpp"
#include "data/reading/array_reader.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

/// numpy.savez_compressed of kspace, complex64 [2, 3] in Fortran's order, n - i at place n, and of trajectory, float32
/// [[0, 1], [2, 3], [4, -2]], by NumPy 2.
constexpr std::string_view written_by_numpy =
    "504b03042d000000080000002100479c987effffffffffffffff0a0014006b73706163652e6e707901001000b0000000000000005a00000000"
    "0000009bec17ea1b10c9c850c650ad9e925a9c5ca46ea5a06e936ca1aea3a09e965f54529498179f5f94920a120f292a4d050a17672416a402"
    "b91a463a0ac69a3a0ab50ae4032e063068d8cfc0e0e000a11beca13494cf00a517806900504b03042d00000008000000210005f523feffffff"
    "ffffffffff0e0014007472616a6563746f72792e6e707901001000980000000000000055000000000000009bec17ea1b10c9c850c650ad9e92"
    "5a9c5ca46ea5a06e9366a2aea3a09e965f54529498179f5f94920a12774bcc294e058a17672416a402f91ac63a0a469a3a0ab50a64032e0630"
    "68"
    "b007120e4004c40d40cc700000504b01022d032d000000080000002100479c987e5a000000b00000000a000000000000000000000080010000"
    "0"
    "0006b73706163652e6e7079504b01022d032d00000008000000210005f523fe55000000980000000e000000000000000000000080019600000"
    "0"
    "7472616a6563746f72792e6e7079504b05060000000002000200740000002b0100000000";

std::string from_hex(std::string_view hex) {
    std::string bytes;
    for (std::size_t i = 0; i + 1 < hex.size(); i += 2) {
        bytes += static_cast<char>(std::stoi(std::string(hex.substr(i, 2)), nullptr, 16));
    }
    return bytes;
}

class Npy : public ::testing::Test {
protected:
    std::string file(const std::string& name) const { return folder_ / name; }
    std::string file(const std::string& name, const std::string& bytes) const {
        std::ofstream(file(name), std::ios::binary) << bytes;
        return file(name);
    }
    template <class T>
    std::string array(const std::string& name, const std::vector<Index>& extents, const std::vector<T>& values) const {
        const std::vector<std::byte> bytes = npy_bytes(extents, std::span<const T>(values));
        return file(name, {reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    }
    test::TemporaryFolder folder_;
};

TEST_F(Npy, ArraysThatNumpyPackedAreRead) {
    NpyArrays arrays(file("a.npz", from_hex(written_by_numpy)));
    EXPECT_THAT(arrays.names(), ::testing::ElementsAre("kspace", "trajectory"));
    StoredArray kspace = arrays.read("kspace");
    EXPECT_EQ(kspace.extents, (std::vector<Index>{2, 3}));
    EXPECT_EQ(kspace.take_complex(), (std::vector<cfloat>{{0, -1}, {1, -1}, {2, -1}, {3, -1}, {4, -1}, {5, -1}}));
    EXPECT_EQ(arrays.read("trajectory").take_real(), (std::vector<double>{0, 1, 2, 3, 4, -2}));
}

TEST_F(Npy, AScanIsReadAsItWasWritten) {
    const Scan scan = test::sample_scan({.frames = 2});
    write_npz_scan(scan, file("scan.npz"));
    const Scan read = read_scan(file("scan.npz"));
    ASSERT_EQ(read.frames.size(), 2U);
    EXPECT_EQ(read.geometry.matrix_size, scan.geometry.matrix_size);
    EXPECT_EQ(read.geometry.field_of_view_mm, scan.geometry.field_of_view_mm);
    EXPECT_EQ(read.samples_per_readout, scan.samples_per_readout);
    EXPECT_EQ(read.coil_maps, scan.coil_maps);
    EXPECT_EQ(read.noise, scan.noise);
    EXPECT_EQ(read.off_resonance_hz, scan.off_resonance_hz);
    EXPECT_EQ(read.frames[1].label, scan.frames[1].label);
    EXPECT_EQ(read.frames[1].trajectory->k, scan.frames[1].trajectory->k);
    EXPECT_EQ(read.frames[1].kspace, scan.frames[1].kspace);
    EXPECT_EQ(read.frames[1].sample_times_s, scan.frames[0].sample_times_s);
    EXPECT_EQ(read_coil_maps(file("scan.npz"), scan.geometry.matrix_size, scan.coil_count).values, scan.coil_maps);
}

/// As many numbers in other axes are others.
TEST_F(Npy, ArraysBesideKSpaceHaveItsAxes) {
    const auto read = [&](const std::string& name, const std::vector<Index>& extents) {  // 2 coils, 3 readouts of 5
        Index count = 1;
        for (const Index extent : extents) {
            count *= extent;
        }
        std::vector<std::pair<std::string, std::vector<std::byte>>> files;
        const auto add = [&](const std::string& what, const std::vector<Index>& of, const auto& values) {
            files.emplace_back(what + ".npy", npy_bytes(of, std::span(std::as_const(values))));
        };
        std::vector<double> positions(30, 0.25);
        positions[0] = -2;
        add("kspace", {2, 3, 5}, std::vector<cfloat>(30, cfloat(1)));
        add("trajectory", {3, 5, 2}, positions);
        add("matrix_size", {2}, std::vector<double>{4, 4});
        add(name, extents, std::vector<double>(static_cast<std::size_t>(count), 0.5));
        const std::vector<std::byte> bytes = zip_bytes(files, "scan.npz");
        ScanReadOptions options;
        options.trajectory_unit = TrajectoryUnit::cycles_per_fov;
        return read_scan(file("scan.npz", {reinterpret_cast<const char*>(bytes.data()), bytes.size()}), options);
    };
    for (const std::vector<Index>& right : {std::vector<Index>{2, 7}, {1, 2, 7}}) {
        EXPECT_EQ(read("noise", right).noise.size(), 14U);
    }
    for (const std::vector<Index>& wrong : {std::vector<Index>{7, 2}, {14}, {1, 14}, {7, 3}, {21}, {1, 1}}) {
        expect_error<InputError>([&] { read("noise", wrong); }, {"noise", "expected [2 coils, samples]"});
    }
    for (const std::string name : {"sample_times_s", "density_weights"}) {
        for (const std::vector<Index>& right : {std::vector<Index>{3, 5}, {15}, {1, 3, 5}}) {
            EXPECT_NO_THROW(read(name, right));
        }
        expect_error<InputError>([&] { read(name, {5, 3}); }, {name, "[5, 3]", "expected [3, 5]"});
    }
}

/// As those of echoes.
TEST_F(Npy, NumbersOfSamplesMayBeOfEachFrame) {
    std::vector<std::pair<std::string, std::vector<std::byte>>> files;
    const auto add = [&](const std::string& name, const std::vector<Index>& extents, const auto& values) {
        files.emplace_back(name + ".npy", npy_bytes(extents, std::span(std::as_const(values))));
    };
    add("kspace", {2, 2, 3, 5}, std::vector<cfloat>(60, cfloat(1)));
    add("trajectory", {3, 5, 2}, std::vector<double>(30, 1.5));
    add("matrix_size", {2}, std::vector<double>{4, 4});
    std::vector<double> times(30);
    std::iota(times.begin(), times.end(), 0);
    add("sample_times_s", {2, 3, 5}, times);
    const std::vector<std::byte> bytes = zip_bytes(files, "scan.npz");
    ScanReadOptions options;
    options.trajectory_unit = TrajectoryUnit::cycles_per_fov;
    const Scan scan = read_scan(file("scan.npz", {reinterpret_cast<const char*>(bytes.data()), bytes.size()}), options);
    EXPECT_EQ(scan.frames[0].sample_times_s.values()[7], 7);
    EXPECT_EQ(scan.frames[1].sample_times_s.values()[7], 22);
}

/// K-space of an .npy in whatever axes, beside positions of 2 readouts of 3 samples.
TEST_F(Npy, TheSamplesOfTheTrajectoryTellTheAxes) {
    ScanReadOptions options;
    options.matrix_size = PerAxis<Index>{4, 4, 1};
    options.trajectory_unit = TrajectoryUnit::cycles_per_fov;
    options.trajectory_path = array<double>("t.npy", {2, 3, 2}, {-2, 0, 0, 0, 1, 0, 0, -2, 0, 0, 0, 1});
    struct Case {
        std::vector<Index> extents;
        Index frames, coils;
    };
    for (const Case& one : {Case{{6}, 1, 1}, Case{{2, 3}, 1, 1}, Case{{5, 6}, 1, 5}, Case{{5, 2, 3}, 1, 5},
                            Case{{4, 5, 2, 3}, 4, 5}, Case{{4, 5, 6}, 4, 5}}) {
        std::vector<cfloat> values(static_cast<std::size_t>(6 * one.frames * one.coils));
        for (std::size_t i = 0; i < values.size(); ++i) {
            values[i] = static_cast<float>(i + 1);
        }
        const Scan scan = read_scan(array("k.npy", one.extents, values), options);
        ASSERT_EQ(static_cast<Index>(scan.frames.size()), one.frames);
        EXPECT_EQ(scan.coil_count, one.coils);
        EXPECT_EQ(scan.frames.back().kspace.back(), values.back());
    }
    expect_error<InputError>(
        [&] {
            read_scan(array<cfloat>("k.npy", {5, 7}, std::vector<cfloat>(35, 1)), options);
        },
        {"k.npy", "[5, 7]", "the 6 samples"});
    expect_error<InputError>(
        [&] {
            read_scan(array<cfloat>("k.npy", {5, 3, 2}, std::vector<cfloat>(30, 1)), options);
        },
        {"k.npy", "[5, 3, 2]", "expected 3 samples", "exchanged"});
}

/// Of a single spiral: coils are not frames.
TEST_F(Npy, AReadoutAloneIsNoCoil) {
    ScanReadOptions options;
    options.matrix_size = PerAxis<Index>{4, 4, 1};
    options.trajectory_unit = TrajectoryUnit::cycles_per_fov;
    const std::vector<double> positions{-2, 0, 0, 0, 1, 0};
    struct Case {
        std::vector<Index> of_positions, of_kspace;
        Index frames, coils;
    };
    for (const Case& one :
         {Case{{1, 3, 2}, {5, 1, 3}, 1, 5}, Case{{3, 2}, {5, 1, 3}, 1, 5}, Case{{1, 3, 2}, {5, 3}, 1, 5},
          Case{{1, 3, 2}, {4, 5, 1, 3}, 4, 5}, Case{{1, 3, 2}, {4, 1, 1, 3}, 4, 1}, Case{{1, 3, 2}, {1, 3}, 1, 1},
          Case{{3, 1, 2}, {4, 1, 3, 1}, 4, 1}, Case{{3, 1, 2}, {5, 3, 1}, 1, 5}}) {
        options.trajectory_path = array<double>("t.npy", one.of_positions, positions);
        const std::vector<cfloat> values(static_cast<std::size_t>(3 * one.frames * one.coils), 1);
        const Scan scan = read_scan(array("k.npy", one.of_kspace, values), options);
        EXPECT_EQ(static_cast<Index>(scan.frames.size()), one.frames) << ::testing::PrintToString(one.of_kspace);
        EXPECT_EQ(scan.coil_count, one.coils) << ::testing::PrintToString(one.of_kspace);
    }
    options.trajectory_path = array<double>("t.npy", {1, 2}, {-2, 0});
    EXPECT_EQ(read_scan(array("k.npy", {5, 1}, std::vector<cfloat>(5, 1)), options).coil_count, 5) << "of one sample";
}

TEST_F(Npy, PositionsMayHaveTheirDimensionsFirst) {
    ScanReadOptions options;
    options.matrix_size = PerAxis<Index>{8, 8, 1};
    options.trajectory_unit = TrajectoryUnit::cycles_per_fov;
    options.trajectory_path = array<double>("t.npy", {2, 4}, {-4, 1, 2, 3, 0, 5e-1, -4, 2});
    const Scan scan = read_scan(array<cfloat>("k.npy", {4}, std::vector<cfloat>(4, 1)), options);
    EXPECT_EQ(scan.frames[0].trajectory->k[0], (std::vector<double>{-4, 1, 2, 3}));
    EXPECT_EQ(scan.frames[0].trajectory->k[1], (std::vector<double>{0, 5e-1, -4, 2}));
}

TEST_F(Npy, ImagesKeepTheirAxes) {
    Image image;
    image.geometry.matrix_size = {3, 2, 1};
    image.frames.assign(2, ImageFrame{});
    for (int i = 0; i < 12; ++i) {
        image.voxels.emplace_back(static_cast<float>(i), 1.F);
    }
    write_npy_image(image, file("i.npy"));
    const Image read = read_placed_image(file("i.npy")).image;
    EXPECT_EQ(read.geometry.matrix_size, image.geometry.matrix_size);
    EXPECT_EQ(read.frame_count(), 2);
    EXPECT_EQ(read.voxels, image.voxels);
}

TEST_F(Npy, WhatIsMissingIsSaidWithItsOption) {
    const std::string path = array<cfloat>("k.npy", {2, 4}, std::vector<cfloat>(8, 1));
    expect_error<InputError>([&] { read_scan(path); }, {"k.npy", "`trajectory`"});
    ScanReadOptions options;
    options.trajectory_path = array<double>("t.npy", {4, 2}, {0, 1, 2, 3, 4, 5, 6, 7});
    expect_error<InputError>([&] { read_scan(path, options); }, {"k.npy", "`matrix`"});
}

TEST_F(Npy, WhatIsNotReadIsNamed) {
    const auto write = [&](const std::string& name, double size) {
        const auto bytes = [](const std::vector<Index>& extents, const std::vector<double>& values) {
            return npy_bytes(extents, std::span<const double>(values));
        };
        const std::vector<std::byte> zip = zip_bytes({{"kspace.npy", bytes({4}, {1, 1, 1, 1})},
                                                      {"trajectory.npy", bytes({4, 2}, {-2, 0, 0, 1, 1, 0, 0, -2})},
                                                      {"matrix_size.npy", bytes({2}, {4, size})},
                                                      {name + ".npy", bytes({1}, {1})}},
                                                     "scan.npz");
        return file("scan.npz", {reinterpret_cast<const char*>(zip.data()), zip.size()});
    };
    Log log(LogLevel::off);
    const LogBinding bound(&log);
    ScanReadOptions options;
    options.trajectory_unit = TrajectoryUnit::cycles_per_fov;
    read_scan(write("coilmaps", 4), options);
    EXPECT_THAT(log.history(), ::testing::Contains(::testing::HasSubstr("did you mean coil_maps?")));
    read_scan(write("subject_age", 4), options);
    EXPECT_THAT(log.history(), ::testing::Contains(::testing::HasSubstr("not read: subject_age")));
    expect_error<InputError>([&] { read_scan(write("x", 4.5), options); }, {"4, 4.5", "whole numbers"});
}

TEST_F(Npy, DamageIsRefused) {
    const std::string good = from_hex(written_by_numpy);
    int refused = 0;
    for (std::size_t place = 0; place < good.size(); ++place) {
        for (const char value : {'\0', '\xff', '7'}) {
            std::string bad = good;
            bad[place] = value;
            try {
                NpyArrays arrays(file("bad.npz", bad));
                for (const std::string& name : arrays.names()) {
                    arrays.read(name);
                }
            } catch (const InputError&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 300);
    expect_error<InputError>([&] { NpyArrays(file("cut.npz", good.substr(0, 300))); }, {"cut.npz", "damaged"});
    const std::string path = array<cfloat>("k.npy", {2}, {1, 2});
    const std::string big_endian = test::contents_of(path).replace(10 + 11, 3, ">c8");
    expect_error<InputError>([&] { NpyArrays(file("big.npy", big_endian)).read(""); },
                             {"big.npy", "of the type >c8", "array.astype(numpy.complex64)"});
    std::ofstream(path, std::ios::app) << "more";
    expect_error<InputError>([&] { NpyArrays(path).read(""); }, {"k.npy", "20 bytes", "expected 16"});
}

}  // namespace
}  // namespace recon
