#include "data/pictures/png_writer.hpp"

#include <gtest/gtest.h>
#include <png.h>

#include <filesystem>
#include <fstream>
#include <limits>

#include "core/base/error.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

TEST(PngWriter, PixelsAreRoundedClippedAndInOrder) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "a.png";
    Picture picture(3, 2);
    picture.grey = {0, 0.5F, 1, -7, 100, std::numeric_limits<float>::quiet_NaN()};
    write_png(path, picture);

    png_image image{};
    image.version = PNG_IMAGE_VERSION;
    ASSERT_TRUE(png_image_begin_read_from_file(&image, path.c_str())) << image.message;
    EXPECT_EQ(image.width, 3U);
    EXPECT_EQ(image.height, 2U);
    EXPECT_EQ(image.format, static_cast<png_uint_32>(PNG_FORMAT_GRAY));  // 8 bits, no colour, no alpha
    std::vector<png_byte> pixels(6);
    ASSERT_TRUE(png_image_finish_read(&image, nullptr, pixels.data(), 0, nullptr)) << image.message;
    EXPECT_EQ(pixels, (std::vector<png_byte>{0, 128, 255, 0, 255, 0}));
}

TEST(PngWriter, FailureLeavesTheFileThatWasThere) {
    const test::TemporaryFolder folder;
    const std::string path = folder / "a.png";
    std::ofstream(path) << "before";
    EXPECT_THROW(write_png(path, Picture()), ShapeError);
    Picture wrong(3, 2);
    wrong.grey.pop_back();
    EXPECT_THROW(write_png(path, wrong), ShapeError);
    expect_error<InputError>([&] { write_png(path, Picture(2'000'000, 1)); }, {path, "2000000 x 1"});
    EXPECT_EQ(test::contents_of(path), "before");
}

TEST(PngWriter, MissingFolderIsNamed) {
    const test::TemporaryFolder folder;
    const std::string missing = folder / "nowhere";
    expect_error<InputError>([&] { write_png(missing + "/a.png", Picture(1, 1)); }, {missing});
}

TEST(PngWriter, AFullDiskIsAnError) {
    if (!std::filesystem::exists("/dev/full")) {
        GTEST_SKIP() << "this system has no /dev/full";
    }
    expect_error<InputError>([] { write_png("/dev/full", Picture(8, 8)); }, {"/dev/full", "write", "space"});
}

}  // namespace
}  // namespace recon
