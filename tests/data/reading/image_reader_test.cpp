#include "data/reading/image_reader.hpp"

#include <gtest/gtest.h>

#include <fstream>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

class ImageReaderTest : public ::testing::Test {
protected:
    test::TemporaryFolder folder;
    std::string path = folder / "a.h5";
};

TEST_F(ImageReaderTest, ReadsWhatTheWriterWrote) {
    Image image;
    image.geometry = {{3, 2, 1}, {30, 40, 5}, std::nullopt};
    image.frames.assign(2, ImageFrame{});
    for (int n = 0; n < 12; ++n) {
        image.voxels.emplace_back(static_cast<float>(n), -1.0F);
    }
    write_image_hdf5(path, {.image = image});
    const StoredImage found = read_image(path);
    EXPECT_EQ(found.dataset, "/image");
    EXPECT_EQ(found.image.geometry.matrix_size, image.geometry.matrix_size);
    EXPECT_EQ(found.image.geometry.field_of_view_mm, image.geometry.field_of_view_mm);
    EXPECT_EQ(found.image.frame_count(), 2);
    EXPECT_EQ(found.image.voxels, image.voxels);
}

TEST_F(ImageReaderTest, FindsArraysOfOtherFiles) {
    {
        H5File file = H5File::create(path);
        file.write("/maps/magnitude", {4, 5}, std::vector<float>(20, 7));
        file.write("/name", std::vector<std::string>{"text is no image"});
    }
    const StoredImage only = read_image(path);
    EXPECT_EQ(only.dataset, "/maps/magnitude");
    EXPECT_EQ(only.image.geometry.matrix_size, (PerAxis<Index>{5, 4, 1}));
    EXPECT_EQ(only.image.voxels, std::vector<cfloat>(20, cfloat(7)));
    {
        H5File file = H5File::create(path);
        file.write("/dataset/image", {1, 2, 3, 4}, std::vector<cfloat>(24, cfloat(0, 1)));
        file.write("/dataset/maps", std::vector<double>{1, 2});
    }
    EXPECT_EQ(read_image(path).image.geometry.matrix_size, (PerAxis<Index>{4, 3, 2}));
    EXPECT_EQ(read_image(path, "dataset/maps").image.geometry.matrix_size, (PerAxis<Index>{2, 1, 1}));
}

TEST_F(ImageReaderTest, SaysWhatIsThereInstead) {
    {
        H5File file = H5File::create(path);
        file.write("/a", std::vector<double>{1});
        file.write("/b/c", std::vector<double>{1});
        file.write("/text", std::vector<std::string>{"x"});
        file.write("/empty", std::vector<float>{});
    }
    expect_error<InputError>([&] { read_image(path); }, {path, "/image", "/a, /b/c", path + ":/a"});
    expect_error<InputError>([&] { read_image(path, "/d"); }, {path, "/d", "/a, /b/c"});
    expect_error<InputError>([&] { read_image(path, "/text"); }, {path, "/text", "expected numbers"});
    expect_error<InputError>([&] { read_image(path, "/empty"); }, {path, "/empty"});
    H5File::create(path).close();
    expect_error<InputError>([&] { read_image(path); }, {path, "/image"});
    {
        H5File file = H5File::create(path);
        file.write("/kspace", std::vector<double>{1});
    }
    expect_error<InputError>([&] { read_image(path); }, {path, "holds a scan (k-space) and no image"});
    std::ofstream(path) << "no HDF5";
    expect_error<InputError>([&] { read_image(path); }, {path});
    expect_error<InputError>([&] { read_image(folder / "none.h5"); }, {"none.h5"});
}

}  // namespace
}  // namespace recon
