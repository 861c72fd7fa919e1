#include "app/reconstruction/priors/prior_images.hpp"

#include <gtest/gtest.h>

#include <limits>

#include "core/base/error.hpp"
#include "data/formats/nifti/nifti_writer.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

Image image_of(PerAxis<Index> matrix, double field_of_view_mm, std::optional<Orientation> orientation = Orientation{}) {
    Image image;
    image.geometry.matrix_size = matrix;
    image.geometry.field_of_view_mm = {field_of_view_mm, field_of_view_mm, field_of_view_mm};
    image.geometry.orientation = orientation;
    image.voxels.resize(matrix[0] * matrix[1] * matrix[2]);
    for (std::size_t i = 0; i < image.voxels.size(); ++i) {
        image.voxels[i] = cfloat(0, 1 + static_cast<float>(i % 7));
    }
    return image;
}

class PriorImagesTest : public ::testing::Test {
protected:
    std::string written(const Image& image, const char* name = "reference.h5") const {
        write_image_hdf5(folder_ / name, {.image = image, .run = RunRecord::object()});
        return folder_ / name;
    }
    test::TemporaryFolder folder_;
};

TEST_F(PriorImagesTest, AreReadFromHdf5AndNifti) {
    const Image image = image_of({6, 5, 4}, 60);
    const PriorImages none = read_prior_images("", "");
    EXPECT_FALSE(none.reference || none.mask);
    const PriorImages hdf5 = read_prior_images(written(image), "");
    EXPECT_EQ(hdf5.reference->voxels, image.voxels);
    write_nifti(folder_ / "reference.nii.gz", image);
    const PriorImages nifti = read_prior_images(folder_ / "reference.nii.gz", folder_ / "reference.nii.gz");
    EXPECT_EQ(nifti.reference->geometry.matrix_size, image.geometry.matrix_size);
    // NIfTI holds magnitudes, and lies where the HDF5 image lies
    const PlacedImage a = place_on_grid(*hdf5.reference, image.geometry, "a");
    const PlacedImage b = place_on_grid(*nifti.mask, image.geometry, "b");
    EXPECT_EQ(a.magnitudes, b.magnitudes);
    EXPECT_EQ(a.covered_share, 1);
}

TEST_F(PriorImagesTest, WhatIsNoReferenceIsRefused) {
    Image image = image_of({6, 5, 4}, 60);
    const auto reading = [&](const std::string& path) { return [path] { read_prior_images(path, ""); }; };
    expect_error<InputError>(reading(folder_ / "none.h5"), {"none.h5"});
    std::fill(image.voxels.begin(), image.voxels.end(), cfloat(2));
    expect_error<InputError>(reading(written(image)), {"`prior_image`", "the same value everywhere"});
    std::fill(image.voxels.begin(), image.voxels.end(), cfloat(0));
    expect_error<InputError>(reading(written(image)), {"`prior_image`", "zero everywhere"});
    expect_error<InputError>([&] { read_prior_images("", written(image)); }, {"`mask`", "zero everywhere"});
    image.voxels[3] = std::numeric_limits<float>::quiet_NaN();
    expect_error<InputError>(reading(written(image)), {"`prior_image`", "not finite"});
    Image series = image_of({6, 5, 4}, 60);
    series.frames.resize(2);
    series.voxels.resize(2 * series.voxels.size(), 1);
    expect_error<InputError>(reading(written(series)), {"holds 2 images, expected one"});
}

TEST_F(PriorImagesTest, AFinerReferenceIsAveragedOverTheVoxels) {
    // 12 voxels of 5 mm to 6 of 10 mm: voxel i of the grid is centred on voxel 2 i of the reference and reaches half of
    // the ones beside it.
    Image fine = image_of({12, 1, 1}, 60);
    for (Index i = 0; i < 12; ++i) {
        fine.voxels[i] = i < 6 ? 0 : 4;
    }
    const PlacedImage placed = place_on_grid(fine, image_of({6, 1, 1}, 60).geometry, "reference");
    EXPECT_EQ(placed.magnitudes[1], 0);
    EXPECT_EQ(placed.magnitudes[5], 4);
    EXPECT_GT(placed.magnitudes[3], 2);  // most of it lies on the bright side
    EXPECT_LT(placed.magnitudes[3], 4);
}

TEST_F(PriorImagesTest, AnotherPlaceIsRefused) {
    const Geometry grid = image_of({8, 8, 8}, 80).geometry;
    Orientation far;
    far.centre_mm = {300, 0, 0};
    expect_error<InputError>(
        [&] {
            place_on_grid(image_of({8, 8, 8}, 80, far), grid, "`prior_image` other.nii");
        },
        {"`prior_image` other.nii", "reaches 0 % of the image's voxels", "same object"});
    expect_error<InputError>(
        [&] {
            place_on_grid(image_of({9, 8, 8}, 0, std::nullopt), grid, "other.h5");
        },
        {"other.h5", "9 x 8 x 8", "8 x 8 x 8"});
    Orientation beside;
    beside.centre_mm = {30, 0, 0};
    const PlacedImage part = place_on_grid(image_of({8, 8, 8}, 80, beside), grid, "reference");
    EXPECT_NEAR(part.covered_share, 5.0 / 8, 1e-6);
    EXPECT_EQ(part.covered[0], 0);
    EXPECT_EQ(part.magnitudes[0], 0);
}

}  // namespace
}  // namespace recon
