#include <gtest/gtest.h>

#include <cmath>
#include <complex>
#include <filesystem>
#include <limits>
#include <map>

#include "core/base/error.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/impatient_set.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;
using test::ImpatientHeader;

constexpr Index nx = 4, ny = 3, nz = 2, samples = 5, coils = 2;
constexpr double offset_x = 1.0 / 32, offset_y = -0.05;

class ImpatientTest : public ::testing::TestWithParam<ImpatientHeader> {
protected:
    /// A 4 x 3 x 2 image of 2 coils, z fastest, then x, then y, and shifted against the usual grid.
    ImpatientTest() {
        for (Index y = 0; y < ny; ++y) {
            for (Index x = 0; x < nx; ++x) {
                for (Index z = 0; z < nz; ++z) {
                    files["ix"].push_back(static_cast<float>((x - 2) / 4.0 + offset_x));
                    files["iy"].push_back(static_cast<float>((y - 1) / 3.0 + offset_y));
                    files["iz"].push_back(static_cast<float>((z - 1) / 2.0));
                    files["fm"].push_back(static_cast<float>(2 * pi * static_cast<double>(x + 10 * y + 100 * z)));
                }
            }
        }
        for (Index coil = 0; coil < coils; ++coil) {
            for (std::size_t v = 0; v < files["ix"].size(); ++v) {
                files["sensi_r"].push_back(static_cast<float>(coil) + files["ix"][v]);
                files["sensi_i"].push_back(files["iz"][v]);
            }
            for (Index s = 0; s < samples; ++s) {
                files["kdata_r"].push_back(static_cast<float>(1 + s + 10 * coil));
                files["kdata_i"].push_back(static_cast<float>(-s));
            }
        }
        for (Index s = 0; s < samples; ++s) {
            const auto part = static_cast<float>(s) / samples;
            files["kx"].push_back(-2 + 4 * part);
            files["ky"].push_back(1.5F * std::cos(3 * part));
            files["kz"].push_back(-1 * part);
            files["t"].push_back(1e-3F + 1e-5F * static_cast<float>(s));
        }
    }

    void write() const {
        for (const auto& [name, values] : files) {
            const bool per_coil = name.starts_with("sensi") || name.starts_with("kdata");
            test::write_bytes(
                folder / (name + ".dat"),
                test::impatient_bytes(values, GetParam(), per_coil && values.size() % coils == 0 ? coils : 1));
        }
    }

    test::TemporaryFolder folder;
    std::map<std::string, std::vector<float>> files;
};

INSTANTIATE_TEST_SUITE_P(, ImpatientTest, ::testing::Values(ImpatientHeader::binary, ImpatientHeader::text),
                         [](const auto& info) { return info.param == ImpatientHeader::binary ? "binary" : "text"; });

TEST_P(ImpatientTest, VoxelsAreReorderedAndTheirGridOffsetGoesIntoTheData) {
    write();
    const Scan scan = read_scan(folder.path());
    EXPECT_EQ(scan.format, "IMPATIENT");
    EXPECT_EQ(scan.geometry.matrix_size, (PerAxis<Index>{nx, ny, nz}));
    EXPECT_EQ(scan.coil_count, coils);
    const Frame& frame = scan.frames[0];
    ASSERT_EQ(frame.sample_count(), samples);
    EXPECT_EQ(frame.sample_times_s[1], files["t"][1]);
    constexpr double rounding = 1e-5;  // float positions and data of magnitude 10
    for (std::size_t i = 0; i < frame.kspace.size(); ++i) {
        const std::size_t s = i % samples;
        EXPECT_EQ(frame.trajectory->k[0][s], files["kx"][s]);
        EXPECT_EQ(frame.trajectory->k[2][s], files["kz"][s]);
        const double turns = files["kx"][s] * offset_x + files["ky"][s] * offset_y;
        const cdouble expected = cdouble(files["kdata_r"][i], files["kdata_i"][i]) * std::polar(1.0, 2 * pi * turns);
        EXPECT_LT(std::abs(cdouble(frame.kspace[i]) - expected), rounding * 10);
    }
    for (Index z = 0; z < nz; ++z) {
        for (Index y = 0; y < ny; ++y) {
            for (Index x = 0; x < nx; ++x) {
                const auto voxel = static_cast<std::size_t>(x + nx * (y + ny * z));
                EXPECT_NEAR(scan.off_resonance_hz[voxel], static_cast<double>(x + 10 * y + 100 * z), rounding * 100);
                const cfloat map = scan.coil_maps[voxel + nx * ny * nz];
                EXPECT_NEAR(map.real(), 1 + (static_cast<double>(x) - 2) / 4 + offset_x, rounding);
                EXPECT_NEAR(map.imag(), (static_cast<double>(z) - 1) / 2, rounding);
            }
        }
    }
}

TEST_P(ImpatientTest, WhatIsMissingOrWronglyShapedIsNamed) {
    write();
    const auto refuse = [&](const std::string& name, const std::vector<float>& values,
                            const std::vector<std::string>& parts) {
        const std::string path = folder / (name + ".dat");
        const std::string good = test::impatient_bytes(files[name], GetParam(), name.starts_with("kdata") ? coils : 1);
        values.empty() ? static_cast<void>(std::filesystem::remove(path))
                       : test::write_bytes(path, test::impatient_bytes(values, GetParam()));
        expect_error<InputError>([&] { read_scan(folder.path()); }, parts);
        test::write_bytes(path, good);
    };
    refuse("kdata_i", {}, {"kdata_i.dat", "no such file"});
    refuse("ix", {}, {"ix.dat", "no such file"});
    refuse("ky", {1, 2}, {"ky.dat", "2 numbers, expected 5"});
    refuse("kdata_r", {1, 2, 3}, {"kdata_r.dat", "3 numbers", "multiple of the 5"});
    refuse("t", {1}, {"t.dat", "1 numbers, expected 5"});
    refuse("fm", {1}, {"fm.dat", "expected 24"});
    std::vector<float> changed = files["ix"];
    changed[3] = 0.3F;
    refuse("ix", changed, {"ix.dat", "distinct positions"});
    changed[3] = std::numeric_limits<float>::quiet_NaN();
    refuse("ix", changed, {"ix.dat", "not finite"});
    changed = files["iz"];
    std::swap(changed[0], changed[1]);
    changed[0] = changed[1];
    refuse("iz", changed, {"expected each position once"});
    changed = files["kdata_i"];
    changed[2] = std::numeric_limits<float>::infinity();
    changed.resize(10);
    refuse("kdata_i", changed, {"k-space", "not finite", "sample 2"});
    EXPECT_EQ(read_scan(folder.path()).coil_count, coils) << "all of it was the change";
}

TEST_P(ImpatientTest, TruncatedAndAbsurdFilesAreRefused) {
    write();
    const std::string path = folder / "kx.dat";
    const std::string good = test::impatient_bytes(files["kx"], GetParam());
    for (std::size_t length = 0; length < good.size() - 4; ++length) {  // the text style ends in "EOF\n"
        test::write_bytes(path, good.substr(0, length));
        EXPECT_THROW(read_scan(folder.path()), InputError) << length;
    }
    std::string absurd = good;
    if (GetParam() == ImpatientHeader::binary) {
        const std::int32_t huge = 2'000'000'000;
        std::memcpy(absurd.data() + 16, &huge, sizeof(huge));
    } else {
        absurd.replace(absurd.find("Binary_Size = 5"), 15, "Binary_Size = 999999999999999");
    }
    test::write_bytes(path, absurd);
    expect_error<InputError>([&] { read_scan(folder.path()); }, {path});
    if (GetParam() == ImpatientHeader::text) {
        std::string empty = good;
        empty.replace(empty.find("Binary_Size = 5"), 15, "Binary_Size = 0");
        test::write_bytes(path, empty);
        expect_error<InputError>([&] { read_scan(folder.path()); }, {path, "a block of 0 numbers"});
    }
    test::write_bytes(path, std::string(1000, 'x'));
    expect_error<InputError>([&] { read_scan(folder.path()); }, {path, "neither header"});
}

}  // namespace
}  // namespace recon
