#include "data/formats/nifti/nifti_writer.hpp"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <cstring>

#include "core/base/error.hpp"
#include "core/base/shape.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;
using Point = PerAxis<double>;

template <class T>
T at(const std::string& bytes, std::size_t offset) {
    T value;
    EXPECT_LE(offset + sizeof(T), bytes.size());
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

// Offsets of nifti1.h, written down here a second time.
constexpr std::size_t dim = 40, datatype = 70, bitpix = 72, pixdim = 76, vox_offset = 108, xyzt_units = 123,
                      qform_code = 252, sform_code = 254, quatern_b = 256, qoffset = 268, srow = 280, magic = 344;

Point by_sform(const std::string& bytes, PerAxis<Index> voxel) {
    Point point{};
    for (int row = 0; row < 3; ++row) {
        const auto element = [&](int column) { return double{at<float>(bytes, srow + 16 * row + 4 * column)}; };
        point[row] = element(3);
        for (int axis = 0; axis < 3; ++axis) {
            point[row] += element(axis) * static_cast<double>(voxel[axis]);
        }
    }
    return point;
}

// "METHOD 2" of nifti1.h: the rotation of a quaternion, then the offset.
Point by_qform(const std::string& bytes, PerAxis<Index> voxel) {
    const double b = at<float>(bytes, quatern_b), c = at<float>(bytes, quatern_b + 4),
                 d = at<float>(bytes, quatern_b + 8);
    const double a = std::sqrt(std::max(0.0, 1 - b * b - c * c - d * d));
    const double rotation[3][3] = {{a * a + b * b - c * c - d * d, 2 * b * c - 2 * a * d, 2 * b * d + 2 * a * c},
                                   {2 * b * c + 2 * a * d, a * a + c * c - b * b - d * d, 2 * c * d - 2 * a * b},
                                   {2 * b * d - 2 * a * c, 2 * c * d + 2 * a * b, a * a + d * d - c * c - b * b}};
    const double qfac = at<float>(bytes, pixdim);
    Point point{};
    for (int row = 0; row < 3; ++row) {
        point[row] = at<float>(bytes, qoffset + 4 * row);
        for (int axis = 0; axis < 3; ++axis) {
            const double step = double{at<float>(bytes, pixdim + 4 + 4 * axis)} * static_cast<double>(voxel[axis]);
            point[row] += rotation[row][axis] * step * (axis == 2 ? qfac : 1);
        }
    }
    return point;
}

void expect_near(const Point& found, const Point& expected, const char* what) {
    constexpr double float_of_metres = 1e-3;  // mm: coordinates up to 1000 mm in float, a few roundings
    for (int axis = 0; axis < 3; ++axis) {
        EXPECT_NEAR(found[axis], expected[axis], float_of_metres) << what << ", axis " << axis;
    }
}

Image random_series(PerAxis<Index> size, Index frame_count = 1) {
    Image image;
    image.geometry.matrix_size = size;
    image.geometry.field_of_view_mm = {240, 150, 66};
    image.frames.assign(frame_count, ImageFrame{});
    for (Index frame = 0; frame < frame_count; ++frame) {
        image.frames[frame].label.repetition = frame;
    }
    const auto values = test::random_values(image.voxel_count() * frame_count, 11);
    image.voxels.assign(values.begin(), values.end());
    return image;
}

/// Rotation about an axis that is no symmetry of anything.
Orientation tilted(double angle, double handedness = 1) {
    const double length = std::sqrt(1 + 4 + 9.0);
    const Point n{1 / length, -2 / length, 3 / length};
    const auto turned = [&](Point v) {  // Rodrigues
        const double along = n[0] * v[0] + n[1] * v[1] + n[2] * v[2];
        const Point cross{n[1] * v[2] - n[2] * v[1], n[2] * v[0] - n[0] * v[2], n[0] * v[1] - n[1] * v[0]};
        Point w{};
        for (int axis = 0; axis < 3; ++axis) {
            w[axis] =
                v[axis] * std::cos(angle) + cross[axis] * std::sin(angle) + n[axis] * along * (1 - std::cos(angle));
        }
        return w;
    };
    return {{12.5, -70, 33}, turned({1, 0, 0}), turned({0, 1, 0}), turned({0, 0, handedness})};
}

class NiftiTest : public ::testing::Test {
protected:
    test::TemporaryFolder folder;
    std::string path = folder / "image.nii";
};

TEST_F(NiftiTest, HoldsMagnitudesAndSizes) {
    const Image image = random_series({6, 5, 3});
    write_nifti(path, image);
    const std::string bytes = test::contents_of(path);
    ASSERT_EQ(bytes.size(), 352 + 90 * sizeof(float));
    EXPECT_EQ(at<std::int32_t>(bytes, 0), 348);
    EXPECT_EQ(bytes.substr(magic, 4), std::string("n+1\0", 4));
    EXPECT_EQ(at<float>(bytes, vox_offset), 352);
    const std::vector<int> extents{3, 6, 5, 3, 1, 1, 1, 1};
    for (std::size_t n = 0; n < extents.size(); ++n) {
        EXPECT_EQ(at<std::int16_t>(bytes, dim + 2 * n), extents[n]);
    }
    EXPECT_EQ(at<std::int16_t>(bytes, datatype), 16);
    EXPECT_EQ(at<std::int16_t>(bytes, bitpix), 32);
    EXPECT_EQ(at<float>(bytes, pixdim + 4), 40);
    EXPECT_EQ(at<float>(bytes, pixdim + 8), 30);
    EXPECT_EQ(at<float>(bytes, pixdim + 12), 22);
    EXPECT_EQ(bytes[xyzt_units], 2);
    EXPECT_EQ(at<std::int16_t>(bytes, qform_code), 0);
    EXPECT_EQ(at<std::int16_t>(bytes, sform_code), 0);
    for (std::size_t n = 0; n < image.voxels.size(); ++n) {
        EXPECT_EQ(at<float>(bytes, 352 + 4 * n), std::abs(image.voxels[n]));
    }
}

TEST_F(NiftiTest, HoldsComplexSeries) {
    const Image image = random_series({4, 1, 2}, 3);
    write_nifti(path, image, NiftiValues::complex);
    const std::string bytes = test::contents_of(path);
    ASSERT_EQ(bytes.size(), 352 + 24 * sizeof(cfloat));
    EXPECT_EQ(at<std::int16_t>(bytes, dim), 4);
    EXPECT_EQ(at<std::int16_t>(bytes, dim + 8), 3);
    EXPECT_EQ(at<std::int16_t>(bytes, datatype), 32);
    EXPECT_EQ(at<std::int16_t>(bytes, bitpix), 64);
    EXPECT_EQ(std::memcmp(bytes.data() + 352, image.voxels.data(), 24 * sizeof(cfloat)), 0);
}

TEST_F(NiftiTest, AxialImageOfAPatientOnHisBack) {
    // LPS identity: x runs to the patient's left, which is minus in RAS.
    Image image = random_series({6, 5, 3});
    image.geometry.orientation = Orientation{};
    write_nifti(path, image);
    const std::string bytes = test::contents_of(path);
    EXPECT_EQ(at<std::int16_t>(bytes, qform_code), 1);
    EXPECT_EQ(at<std::int16_t>(bytes, sform_code), 1);
    expect_near(by_sform(bytes, {3, 2, 1}), {0, 0, 0}, "centre");
    expect_near(by_sform(bytes, {4, 2, 1}), {-40, 0, 0}, "x");
    expect_near(by_sform(bytes, {3, 3, 1}), {0, -30, 0}, "y");
    expect_near(by_sform(bytes, {3, 2, 2}), {0, 0, 22}, "z");
}

class NiftiAffineTest : public NiftiTest, public ::testing::WithParamInterface<std::pair<double, double>> {};

TEST_P(NiftiAffineTest, BothAffinesPutVoxelsWhereTheScanSaysInRas) {
    const auto [angle, handedness] = GetParam();
    Image image = random_series({6, 5, 3});
    const Orientation orientation = tilted(angle, handedness);
    image.geometry.orientation = orientation;
    write_nifti(path, image);
    const std::string bytes = test::contents_of(path);
    const Point voxel_size{40, 30, 22};
    for (const PerAxis<Index> voxel : {PerAxis<Index>{0, 0, 0}, {3, 2, 1}, {5, 4, 2}, {5, 0, 1}, {0, 4, 0}}) {
        Point lps = orientation.centre_mm;
        for (int row = 0; row < 3; ++row) {
            lps[row] += static_cast<double>(voxel[0] - 3) * voxel_size[0] * orientation.x_direction[row] +
                        static_cast<double>(voxel[1] - 2) * voxel_size[1] * orientation.y_direction[row] +
                        static_cast<double>(voxel[2] - 1) * voxel_size[2] * orientation.z_direction[row];
        }
        const Point ras{-lps[0], -lps[1], lps[2]};
        expect_near(by_sform(bytes, voxel), ras, "sform");
        expect_near(by_qform(bytes, voxel), ras, "qform");
    }
}

// Angles near 0 and half turns make each of the quaternion's four components the largest in turn.
INSTANTIATE_TEST_SUITE_P(Angles, NiftiAffineTest,
                         ::testing::Values(std::pair{0.0, 1.0}, std::pair{0.7, 1.0}, std::pair{3.1415, 1.0},
                                           std::pair{-2.5, 1.0}, std::pair{1.9, -1.0}, std::pair{pi, -1.0},
                                           std::pair{0.0, -1.0}));

TEST_F(NiftiTest, UnknownSizesAndUselessDirectionsLeaveTheAffineUnknown) {
    Image image = random_series({4, 3, 1});
    image.geometry.orientation = Orientation{{0, 0, 0}, {0, 0, 0}, {0, 0, 0}, {0, 0, 0}};
    write_nifti(path, image);
    EXPECT_EQ(at<std::int16_t>(test::contents_of(path), sform_code), 0);
    image.geometry.orientation = Orientation{};
    image.geometry.field_of_view_mm = {0, 0, 0};
    write_nifti(path, image);
    const std::string bytes = test::contents_of(path);
    EXPECT_EQ(at<std::int16_t>(bytes, sform_code), 0);
    EXPECT_EQ(at<float>(bytes, pixdim + 4), 1);
    EXPECT_EQ(bytes[xyzt_units], 0);
}

TEST_F(NiftiTest, CompressedFileHoldsTheSameBytes) {
    const Image image = random_series({31, 17, 5});
    write_nifti(path, image);
    write_nifti(path + ".gz", image);
    EXPECT_EQ(test::contents_of(path + ".gz").substr(0, 2), "\x1f\x8b");
    std::string unpacked(test::contents_of(path).size() + 1, '\0');
    const gzFile file = gzopen((path + ".gz").c_str(), "rb");
    ASSERT_NE(file, nullptr);
    const int count = gzread(file, unpacked.data(), static_cast<unsigned>(unpacked.size()));
    gzclose(file);
    ASSERT_GT(count, 0);
    unpacked.resize(count);
    EXPECT_EQ(unpacked, test::contents_of(path));
}

TEST_F(NiftiTest, SlicesBecomeAVolume) {
    Image image = random_series({4, 3, 1}, 4);
    const Orientation axes = tilted(0.4);
    for (Index frame = 0; frame < 4; ++frame) {
        Orientation place = axes;
        for (int axis = 0; axis < 3; ++axis) {
            place.centre_mm[axis] += 7.5 * static_cast<double>(frame) * axes.z_direction[axis];
        }
        image.frames[frame] = {{.slice = frame}, place};
    }
    write_nifti(path, image);
    const std::string bytes = test::contents_of(path);
    EXPECT_EQ(at<std::int16_t>(bytes, dim), 3);
    EXPECT_EQ(at<std::int16_t>(bytes, dim + 6), 4);
    EXPECT_FLOAT_EQ(at<float>(bytes, pixdim + 12), 7.5F);
    for (Index slice = 0; slice < 4; ++slice) {
        const Point lps = image.frames[slice].orientation->centre_mm;
        expect_near(by_sform(bytes, {2, 1, slice}), {-lps[0], -lps[1], lps[2]}, "centre of a slice");
        expect_near(by_qform(bytes, {2, 1, slice}), {-lps[0], -lps[1], lps[2]}, "centre of a slice");
    }
}

TEST_F(NiftiTest, FailureLeavesTheFileThatWasThere) {
    write_nifti(path, random_series({4, 3, 1}));
    const std::string before = test::contents_of(path);
    expect_error<InputError>([&] { write_nifti(path, random_series({1, 32768, 1})); }, {path, "32768", "32767"});
    Image broken = random_series({4, 3, 1});
    broken.voxels.pop_back();
    EXPECT_THROW(write_nifti(path, broken), ShapeError);
    EXPECT_EQ(test::contents_of(path), before);
}

TEST_F(NiftiTest, MissingFolderIsNamed) {
    const std::string missing = folder / "nowhere";
    expect_error<InputError>([&] { write_nifti(missing + "/a.nii", random_series({2, 2, 1})); }, {missing});
}

}  // namespace
}  // namespace recon
