#include "data/formats/nifti/nifti_reader.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <random>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/formats/nifti/nifti_header.hpp"
#include "data/formats/nifti/nifti_writer.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/impatient_set.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_image.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;
using test::random_image;

/// Columns of a rotation about the axis (1, -2, 3).
Orientation oblique(double angle, double handedness) {
    const PerAxis<double> n{1 / std::sqrt(14.0), -2 / std::sqrt(14.0), 3 / std::sqrt(14.0)};
    const double c = std::cos(angle), s = std::sin(angle);
    const auto column = [&](int j) {
        const PerAxis<double> across = j == 0   ? PerAxis<double>{0, n[2], -n[1]}
                                       : j == 1 ? PerAxis<double>{-n[2], 0, n[0]}
                                                : PerAxis<double>{n[1], -n[0], 0};
        PerAxis<double> v{};
        for (int i = 0; i < 3; ++i) {
            v[i] = (i == j ? c : 0) + s * across[i] + (1 - c) * n[i] * n[j];
        }
        return v;
    };
    Orientation orientation{{12.5, -70, 33}, column(0), column(1), column(2)};
    for (double& component : orientation.z_direction) {
        component *= handedness;
    }
    return orientation;
}

constexpr double float_of_metres_mm = 1e-3;  // coordinates up to 1000 mm in float, a few roundings

void expect_near(const PerAxis<double>& found, const PerAxis<double>& expected, double tolerance) {
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(found[axis], expected[axis], tolerance) << "component " << axis;
    }
}

void expect_same_place(const Geometry& found, const Geometry& expected) {
    EXPECT_EQ(found.matrix_size, expected.matrix_size);
    expect_near(found.field_of_view_mm, expected.field_of_view_mm, float_of_metres_mm);
    ASSERT_TRUE(found.orientation);
    constexpr double cosine = 1e-5;  // products of a few floats
    expect_near(found.orientation->centre_mm, expected.orientation->centre_mm, float_of_metres_mm);
    expect_near(found.orientation->x_direction, expected.orientation->x_direction, cosine);
    expect_near(found.orientation->y_direction, expected.orientation->y_direction, cosine);
    expect_near(found.orientation->z_direction, expected.orientation->z_direction, cosine);
}

class NiftiReaderTest : public ::testing::Test {
protected:
    /// A file from a header and voxels as they are.
    void write_raw(const NiftiHeader& header, const void* voxels, std::size_t byte_count) const {
        std::string bytes(352, '\0');
        std::memcpy(bytes.data(), &header, sizeof(header));
        bytes.append(static_cast<const char*>(voxels), byte_count);
        test::write_bytes(path, bytes);
    }
    template <class T>
    void write_raw(const NiftiHeader& header, const std::vector<T>& voxels) const {
        write_raw(header, voxels.data(), voxels.size() * sizeof(T));
    }
    template <class T>
    static NiftiHeader header_of(std::int16_t datatype, std::vector<std::int16_t> dim) {
        NiftiHeader header;
        std::copy(dim.begin(), dim.end(), header.dim.begin());
        header.pixdim = {1, 2, 3, 4, 1, 1, 1, 1};
        header.datatype = datatype;
        header.bitpix = 8 * sizeof(T);
        header.xyzt_units = 2;
        return header;
    }

    test::TemporaryFolder folder;
    std::string path = folder / "image.nii";
};

TEST_F(NiftiReaderTest, ReadsWhatIsWritten) {
    for (const std::string name : {"image.nii", "image.nii.gz"}) {
        Image image = random_image({6, 5, 3}, 4);
        image.geometry.orientation = oblique(0.7, 1);
        write_nifti(folder / name, image, NiftiValues::complex);
        EXPECT_TRUE(looks_like_nifti(folder / name));
        Image found = read_nifti(folder / name);
        EXPECT_EQ(found.voxels, image.voxels);
        EXPECT_EQ(found.frame_count(), 4);
        expect_same_place(found.geometry, image.geometry);
        write_nifti(folder / name, image);
        found = read_nifti(folder / name);
        for (std::size_t n = 0; n < image.voxels.size(); ++n) {
            EXPECT_EQ(found.voxels[n], cfloat(std::abs(image.voxels[n])));
        }
    }
}

class NiftiPlaceTest : public NiftiReaderTest, public ::testing::WithParamInterface<std::tuple<double, double>> {};

TEST_P(NiftiPlaceTest, SformAndQformEachGiveThePlace) {
    const auto [angle, handedness] = GetParam();
    Image image = random_image({6, 1, 7});
    image.geometry.orientation = oblique(angle, handedness);
    write_nifti(path, image);
    expect_same_place(read_nifti(path).geometry, image.geometry);
    std::string bytes = test::contents_of(path);
    constexpr std::size_t sform_code = 254, qform_code = 252;
    bytes[sform_code] = 0;
    test::write_bytes(path, bytes);
    expect_same_place(read_nifti(path).geometry, image.geometry);
    bytes[qform_code] = 0;
    test::write_bytes(path, bytes);
    const Geometry unplaced = read_nifti(path).geometry;
    EXPECT_FALSE(unplaced.orientation);
    expect_near(unplaced.field_of_view_mm, image.geometry.field_of_view_mm, float_of_metres_mm);
}

// Angles near 0 and half turns make each of the quaternion's four components the largest in turn.
INSTANTIATE_TEST_SUITE_P(Angles, NiftiPlaceTest,
                         ::testing::Combine(::testing::Values(0.0, 0.7, 3.1415, -2.5, 1.9, pi),
                                            ::testing::Values(1.0, -1.0)));

TEST_F(NiftiReaderTest, TheSformIsPreferredAndMayBeSheared) {
    NiftiHeader header = header_of<float>(16, {3, 4, 4, 2});
    header.qform_code = 1;
    header.sform_code = 2;
    header.srow_x = {0, -5, 1, 10};
    header.srow_y = {5, 0, 0, 20};
    header.srow_z = {0, 0, 4, 30};
    write_raw(header, std::vector<float>(32, 1.0F));
    const Geometry geometry = read_nifti(path).geometry;
    const double length = std::sqrt(17.0);
    expect_near(geometry.field_of_view_mm, {20, 20, 2 * length}, float_of_metres_mm);
    ASSERT_TRUE(geometry.orientation);
    // RAS (10 - 2*5 + 1, 20 + 2*5, 30 + 4), x and y negated
    expect_near(geometry.orientation->centre_mm, {-1, -30, 34}, float_of_metres_mm);
    expect_near(geometry.orientation->x_direction, {0, -1, 0}, 1e-6);
    expect_near(geometry.orientation->y_direction, {1, 0, 0}, 1e-6);
    expect_near(geometry.orientation->z_direction, {-1 / length, 0, 4 / length}, 1e-6);
}

TEST_F(NiftiReaderTest, UnitsOfLengthAreRespectedAndPlaceholdersAreUnknown) {
    NiftiHeader header = header_of<float>(16, {2, 2, 2});
    for (const auto& [unit, factor] : {std::pair{1, 1000.0}, {2, 1.0}, {3, 0.001}, {0, 1.0}}) {
        header.xyzt_units = static_cast<char>(unit);
        write_raw(header, std::vector<float>(4));
        expect_near(read_nifti(path).geometry.field_of_view_mm, {4 * factor, 6 * factor, 4 * factor}, 1e-6);
    }
    header.pixdim.fill(1);  // and no unit: what writers say who do not know
    write_raw(header, std::vector<float>(4));
    EXPECT_EQ(read_nifti(path).geometry.field_of_view_mm, (PerAxis<double>{0, 0, 0}));
}

/// Every type, in both byte orders, with scaling: value * 2 + 1.
template <class T>
void expect_values(const std::string& path, std::int16_t code, bool other_order, NiftiHeader header) {
    const std::vector<T> values{static_cast<T>(3), static_cast<T>(100), static_cast<T>(-5), static_cast<T>(0)};
    header.dim = {3, 2, 1, 2, 1, 1, 1, 1};
    header.datatype = code;
    header.bitpix = 8 * sizeof(T);
    header.scl_slope = 2;
    header.scl_inter = 1;
    std::string bytes(352, '\0');
    std::string voxels(reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T));
    if (other_order) {
        const auto reverse = [](void* at, std::size_t size) {
            auto* first = static_cast<char*>(at);
            std::reverse(first, first + size);
        };
        for (std::size_t n = 0; n < values.size(); ++n) {
            reverse(voxels.data() + n * sizeof(T), sizeof(T));
        }
        reverse(&header.sizeof_hdr, 4);
        for (auto& extent : header.dim) {
            reverse(&extent, 2);
        }
        reverse(&header.datatype, 2);
        reverse(&header.bitpix, 2);
        for (auto& length : header.pixdim) {
            reverse(&length, 4);
        }
        for (float* value : {&header.vox_offset, &header.scl_slope, &header.scl_inter}) {
            reverse(value, 4);
        }
    }
    std::memcpy(bytes.data(), &header, sizeof(header));
    test::write_bytes(path, bytes + voxels);
    const Image image = read_nifti(path);
    EXPECT_EQ(image.geometry.matrix_size, (PerAxis<Index>{2, 1, 2}));
    for (std::size_t n = 0; n < values.size(); ++n) {
        EXPECT_EQ(image.voxels[n], cfloat(static_cast<float>(2 * static_cast<double>(values[n]) + 1)))
            << "type " << code << ", voxel " << n;
    }
}

TEST_F(NiftiReaderTest, ReadsEveryTypeInBothByteOrders) {
    for (const bool other_order : {false, true}) {
        const NiftiHeader header = header_of<float>(16, {3, 2, 1, 2});
        expect_values<std::uint8_t>(path, 2, other_order, header);
        expect_values<std::int16_t>(path, 4, other_order, header);
        expect_values<std::int32_t>(path, 8, other_order, header);
        expect_values<float>(path, 16, other_order, header);
        expect_values<double>(path, 64, other_order, header);
        expect_values<std::int8_t>(path, 256, other_order, header);
        expect_values<std::uint16_t>(path, 512, other_order, header);
        expect_values<std::uint32_t>(path, 768, other_order, header);
        expect_values<std::int64_t>(path, 1024, other_order, header);
        expect_values<std::uint64_t>(path, 1280, other_order, header);
    }
}

TEST_F(NiftiReaderTest, ReadsComplexDoubles) {
    NiftiHeader header = header_of<cdouble>(1792, {1, 3});
    header.scl_slope = 0;  // no scaling
    header.scl_inter = 7;
    write_raw(header, std::vector<cdouble>{{1, 2}, {-3, 0.5}, {0, -4}});
    EXPECT_EQ(read_nifti(path).voxels, (std::vector<cfloat>{{1, 2}, {-3, 0.5}, {0, -4}}));
    header.scl_slope = std::nanf("");
    write_raw(header, std::vector<cdouble>{{1, 2}, {-3, 0.5}, {0, -4}});
    EXPECT_EQ(read_nifti(path).voxels[0], cfloat(1, 2));
}

TEST_F(NiftiReaderTest, WhatCannotBeReadIsRefusedInOneLine) {
    const NiftiHeader good = header_of<float>(16, {3, 2, 2, 1});
    const auto expect_refused = [&](auto&& change, const std::vector<std::string>& parts) {
        NiftiHeader header = good;
        change(header);
        write_raw(header, std::vector<float>(4));
        std::vector<std::string> all{path};
        all.insert(all.end(), parts.begin(), parts.end());
        expect_error<InputError>([&] { read_nifti(path); }, all);
    };
    expect_error<InputError>([&] { read_nifti(folder / "none.nii"); }, {"none.nii", "no such file"});
    expect_error<InputError>([&] { read_nifti(folder.path()); }, {"is a folder"});
    test::write_bytes(path, "short");
    expect_error<InputError>([&] { read_nifti(path); }, {path, "truncated"});
    test::write_bytes(path, std::string(1000, 'x'));
    expect_error<InputError>([&] { read_nifti(path); }, {path, "no NIfTI file"});
    EXPECT_FALSE(looks_like_nifti(path));
    expect_refused([](auto& h) { h.sizeof_hdr = 540; }, {"NIfTI-2", "convert"});
    expect_refused([](auto& h) { std::memcpy(h.magic, "ni1", 4); }, {"pair", "convert"});
    expect_refused([](auto& h) { h.magic[0] = 0; }, {"ANALYZE"});
    expect_refused([](auto& h) { h.dim[0] = 8; }, {"8 axes"});
    expect_refused([](auto& h) { h.dim[2] = 0; }, {"axis 2 has 0 elements"});
    expect_refused([](auto& h) { h.dim[3] = -4; }, {"axis 3 has -4 elements"});
    expect_refused([](auto& h) { h.datatype = 128; }, {"type 128", "expected integers"});
    expect_refused([](auto& h) { h.bitpix = 16; }, {"16 bits, expected 32"});
    expect_refused([](auto& h) { h.vox_offset = 10; }, {"byte 10"});
    expect_refused([](auto& h) { h.vox_offset = std::nanf(""); }, {"begin at byte"});
    expect_refused([](auto& h) { h.vox_offset = 360; }, {"truncated"});
    expect_refused([](auto& h) { h.scl_inter = std::numeric_limits<float>::infinity(); }, {"scl_inter"});
    expect_refused([](auto& h) { h.dim = {7, 32767, 32767, 32767, 32767, 32767, 32767, 32767}; }, {"more"});
    expect_refused([](auto& h) { h.dim = {4, 32767, 32767, 64, 9, 1, 1, 1}; }, {"promises", "4"});
    expect_refused([](auto& h) { h.dim[1] = 3; }, {"8 bytes too early", "truncated"});
}

TEST_F(NiftiReaderTest, PackedFilesThatAreDamagedAreRefused) {
    const std::string packed_path = folder / "image.nii.gz";
    write_nifti(packed_path, random_image({16, 16, 3}));
    const std::string good = test::contents_of(packed_path);
    test::write_bytes(packed_path, good.substr(0, good.size() / 2));
    expect_error<InputError>([&] { read_nifti(packed_path); }, {packed_path, "truncated"});
    std::string bad = good;
    for (std::size_t i = good.size() / 2; i < good.size() / 2 + 40; ++i) {
        bad[i] = static_cast<char>(~bad[i]);
    }
    test::write_bytes(packed_path, bad);
    expect_error<InputError>([&] { read_nifti(packed_path); }, {packed_path});
}

TEST_F(NiftiReaderTest, DamageIsReadOrRefusedAndNothingElse) {
    std::mt19937 random(3);
    int refused = 0, accepted = 0;
    for (const std::string name : {"image.nii", "image.nii.gz"}) {
        Image image = random_image({5, 4, 3}, 2);
        image.geometry.orientation = oblique(1.0, 1);
        write_nifti(folder / name, image);
        const std::string good = test::contents_of(folder / name);
        for (int round = 0; round < 400; ++round) {
            std::string bad = good;
            std::uniform_int_distribution<std::size_t> place(0, std::min<std::size_t>(good.size(), 360) - 1);
            for (int i = 0; i <= round % 4; ++i) {
                bad[place(random)] = static_cast<char>(random() & 255U);
            }
            if (round % 10 == 0) {
                bad.resize(place(random));
            }
            test::write_bytes(folder / name, bad);
            try {
                const Image found = read_nifti(folder / name);
                found.require_consistent();
                ++accepted;
            } catch (const InputError&) {
                ++refused;
            }
        }
    }
    EXPECT_GT(refused, 0);
    EXPECT_GT(accepted, 0);
}

}  // namespace
}  // namespace recon
