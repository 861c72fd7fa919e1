#include "data/reading/placed_image_reader.hpp"

#include <gtest/gtest.h>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/nifti/nifti_writer.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/impatient_set.hpp"
#include "tests/support/random.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

const Orientation turned{{1, 2, 3}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};

Image test_image(Index frame_count = 1) {
    Image image;
    image.geometry.matrix_size = {4, 3, 2};
    image.geometry.field_of_view_mm = {40, 60, 10};
    image.frames.assign(frame_count, ImageFrame{});
    const auto values = test::random_values(24 * frame_count, 5);
    image.voxels.assign(values.begin(), values.end());
    return image;
}

class PlacedImageTest : public ::testing::Test {
protected:
    test::TemporaryFolder folder;
    std::string path = folder / "file";
};

TEST_F(PlacedImageTest, ImageFilesKeepSizeAndPlace) {
    Image image = test_image();
    image.geometry.orientation = turned;
    for (const bool nifti : {false, true}) {
        if (nifti) {
            path = folder / "image.nii";
            write_nifti(path, image, NiftiValues::complex);
        } else {
            write_image_hdf5(path, {image});
        }
        const StoredImage found = read_placed_image(path);
        EXPECT_EQ(found.dataset, nifti ? "" : "/image");
        EXPECT_EQ(found.image.voxels, image.voxels);
        EXPECT_EQ(found.image.geometry.field_of_view_mm, image.geometry.field_of_view_mm);
        ASSERT_TRUE(found.image.geometry.orientation);
        EXPECT_EQ(found.image.geometry.orientation->centre_mm, turned.centre_mm);
        EXPECT_EQ(found.image.geometry.orientation->x_direction, turned.x_direction);
        EXPECT_EQ(found.image.geometry.orientation->z_direction, turned.z_direction);
    }
}

TEST_F(PlacedImageTest, FramesKeepTheirPlaces) {
    Image image = test_image(2);
    image.frames[0].orientation = turned;
    image.frames[1].orientation = Orientation{};
    write_image_hdf5(path, {image});
    const Image found = read_placed_image(path).image;
    EXPECT_FALSE(found.geometry.orientation);
    ASSERT_TRUE(found.orientation(0) && found.orientation(1));
    EXPECT_EQ(found.orientation(0)->y_direction, turned.y_direction);
    EXPECT_EQ(found.orientation(1)->y_direction, Orientation{}.y_direction);
}

TEST_F(PlacedImageTest, ArraysOfScansLieWhereTheScanDoes) {
    Scan scan = test::sample_scan();
    scan.geometry.orientation = turned;
    write_scan(scan, path);
    const Geometry found = read_placed_image(path, "off_resonance_hz").image.geometry;
    EXPECT_EQ(found.matrix_size, scan.geometry.matrix_size);
    EXPECT_EQ(found.field_of_view_mm, scan.geometry.field_of_view_mm);
    ASSERT_TRUE(found.orientation);
    EXPECT_EQ(found.orientation->centre_mm, turned.centre_mm);
    write_mrd(scan, path);
    const Geometry unknown = read_placed_image(path, "/dataset/fieldmap").image.geometry;
    EXPECT_EQ(unknown.matrix_size, scan.geometry.matrix_size);
    EXPECT_EQ(unknown.field_of_view_mm, (PerAxis<double>{0, 0, 0}));
    EXPECT_FALSE(unknown.orientation);
}

TEST_F(PlacedImageTest, UselessAttributesAreUnknown) {
    {
        H5File file = H5File::create(path);
        file.write("/image", {2, 3}, std::vector<float>(6, 1));
        file.write_attribute("/image", "field_of_view_mm", std::vector<double>{1, 2});
        file.write_attribute("/image", "centre_mm", "here");
        for (const char* name : {"x_direction", "y_direction", "z_direction"}) {
            file.write_attribute("/image", name, std::vector<double>{0, 0, 0});
        }
    }
    const Geometry geometry = read_placed_image(path).image.geometry;
    EXPECT_EQ(geometry.matrix_size, (PerAxis<Index>{3, 2, 1}));
    EXPECT_EQ(geometry.field_of_view_mm, (PerAxis<double>{0, 0, 0}));
    EXPECT_FALSE(geometry.orientation);
}

TEST_F(PlacedImageTest, WhatIsNoImageIsRefused) {
    expect_error<InputError>([&] { read_placed_image(folder / "none"); }, {"none", "no such file"});
    test::write_bytes(path, "text, and no image");
    expect_error<InputError>([&] { read_placed_image(path); }, {path, "NIfTI", "HDF5"});
    write_nifti(folder / "a.nii", test_image());
    expect_error<InputError>([&] { read_placed_image(folder / "a.nii", "/x"); }, {"no dataset /x"});
    write_image_hdf5(path, {test_image()});
    expect_error<InputError>([&] { read_placed_image(path, "/none"); }, {path, "/none", "/image"});
}

}  // namespace
}  // namespace recon
