#include "data/formats/recon_h5/image_hdf5_writer.hpp"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <iterator>

#include "core/base/error.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/files/json_writer.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_image.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;
using test::random_image;
using ::testing::ElementsAre;

class ImageFileTest : public ::testing::Test {
protected:
    test::TemporaryFolder folder;
    std::string path = folder / "image.h5";
};

TEST_F(ImageFileTest, ExtrasStandUnderTheirNames) {
    const Image image = random_image({2, 1, 1});
    const NamedArray maps{"coil_maps", {"coil", "x"}, {2, 2}, std::vector<cfloat>{1, {2, 3}, 4, 5}, ""};
    const NamedArray curve{"lambda/residual", {"lambda"}, {3}, std::vector<double>{1, 2, 3}, "1/s"};
    const std::vector<NamedArray> extras{maps, curve};
    write_image_hdf5(path, {.image = image, .extras = extras});
    const H5File file = H5File::open(path);
    EXPECT_THAT(file.dataset_info("/coil_maps").extents, ElementsAre(2, 2));
    EXPECT_EQ(file.read<cfloat>("/coil_maps"), std::get<std::vector<cfloat>>(maps.values));
    EXPECT_THAT(file.read_attribute<std::string>("/coil_maps", "axes"), ElementsAre("coil", "x"));
    EXPECT_FALSE(file.has_attribute("/coil_maps", "unit"));
    EXPECT_THAT(file.read<double>("/lambda/residual"), ElementsAre(1, 2, 3));
    EXPECT_THAT(file.read_attribute<std::string>("/lambda/residual", "unit"), ElementsAre("1/s"));
}

TEST_F(ImageFileTest, WhatIsWrittenAheadIsThereOnceAndWithAllElse) {
    const Image image = random_image({5, 4, 3});
    const std::vector<NamedArray> extras{{"uncertainty/sd", {"x"}, {2}, std::vector<float>{1, 2}, ""},
                                         {"coverage/xy", {"x"}, {1}, std::vector<float>{3}, ""}};
    write_image_hdf5(path, {.image = image, .extras = extras});
    const std::string at_once = folder / "at-once.h5";
    std::filesystem::rename(path, at_once);
    ImageHdf5Writer writer(path);
    writer.write_ahead(image, std::span(extras).first(1));
    EXPECT_FALSE(std::filesystem::exists(path));
    writer.finish({.image = image, .extras = extras});
    EXPECT_EQ(test::contents_of(path), test::contents_of(at_once));
}

TEST_F(ImageFileTest, MapsMayBeWrittenBeforeThereIsAnImage) {
    const Image image = random_image({5, 4, 3});
    const NamedArray maps{"coil_maps", {"coil", "x"}, {2, 2}, std::vector<cfloat>{1, {2, 3}, 4, 5}, ""};
    const std::vector<NamedArray> extras{{"uncertainty/sd", {"x"}, {2}, std::vector<float>{1, 2}, ""}, maps};
    ImageHdf5Writer writer(path);
    writer.write_ahead(maps);
    EXPECT_FALSE(std::filesystem::exists(path));
    writer.write_ahead(image, std::span(extras).first(1));
    writer.finish({.image = image, .extras = extras});
    const H5File file = H5File::open(path);
    EXPECT_EQ(file.read<cfloat>("/image"), image.voxels);
    EXPECT_EQ(file.read<cfloat>("/coil_maps"), std::get<std::vector<cfloat>>(maps.values));
    EXPECT_THAT(file.read_attribute<std::string>("/coil_maps", "axes"), ElementsAre("coil", "x"));
    EXPECT_THAT(file.read<float>("/uncertainty/sd"), ElementsAre(1, 2));
}

TEST_F(ImageFileTest, WhatIsWrittenAheadAndGivenUpLeavesNothing) {
    std::ofstream(path) << "old";
    ImageHdf5Writer(path).write_ahead(random_image({5, 4, 3}), {});
    EXPECT_EQ(test::contents_of(path), "old");
    EXPECT_EQ(std::distance(std::filesystem::directory_iterator(folder.path()), {}), 1);
}

TEST_F(ImageFileTest, OneVolumeHasTheAxesOfSpaceAlone) {
    Image image = random_image({4, 3, 2});
    image.geometry.orientation = Orientation{{1, 2, 3}, {0, 1, 0}, {0, 0, 1}, {1, 0, 0}};
    write_image_hdf5(path, {.image = image});
    const H5File file = H5File::open(path);
    const H5Info info = file.dataset_info("/image");
    EXPECT_EQ(info.kind, H5Kind::complex);
    EXPECT_EQ(info.element_bytes, 8);
    EXPECT_THAT(info.extents, ElementsAre(2, 3, 4));
    EXPECT_EQ(file.read<cfloat>("/image"), image.voxels);  // x fastest in memory and in the file
    EXPECT_THAT(file.read_attribute<std::string>("/image", "axes"), ElementsAre("z", "y", "x"));
    EXPECT_THAT(file.read_attribute<std::string>("/image", "DIMENSION_LABELS"), ElementsAre("z", "y", "x"));
    EXPECT_THAT(file.read_attribute<std::string>("/image", "vector_components"), ElementsAre("x", "y", "z"));
    EXPECT_THAT(file.read_attribute<double>("/image", "voxel_size_mm"), ElementsAre(60, 50, 33));
    EXPECT_THAT(file.read_attribute<double>("/image", "field_of_view_mm"), ElementsAre(240, 150, 66));
    EXPECT_THAT(file.read_attribute<double>("/image", "centre_mm"), ElementsAre(1, 2, 3));
    EXPECT_THAT(file.read_attribute<double>("/image", "x_direction"), ElementsAre(0, 1, 0));
    EXPECT_THAT(file.read_attribute<double>("/image", "y_direction"), ElementsAre(0, 0, 1));
    EXPECT_THAT(file.read_attribute<double>("/image", "z_direction"), ElementsAre(1, 0, 0));
    EXPECT_EQ(file.read_attribute_scalar<std::string>("/image", "coordinate_system"), "LPS");
    EXPECT_FALSE(file.has_group("/baseline"));
}

TEST_F(ImageFileTest, TheThicknessOfASliceMayBeUnknown) {
    Image image = random_image({4, 3, 1});
    image.geometry.field_of_view_mm = {240, 150, 0};
    write_image_hdf5(path, {.image = image});
    EXPECT_THAT(H5File::open(path).read_attribute<double>("/image", "voxel_size_mm"), ElementsAre(60, 50, 0));
}

TEST_F(ImageFileTest, WhatIsUnknownIsAbsent) {
    Image image = random_image({4, 3, 1});
    image.geometry.field_of_view_mm = {0, 0, 0};
    write_image_hdf5(path, {.image = image});
    const H5File file = H5File::open(path);
    for (const char* name : {"voxel_size_mm", "field_of_view_mm", "centre_mm", "coordinate_system"}) {
        EXPECT_FALSE(file.has_attribute("/image", name)) << name;
    }
}

TEST_F(ImageFileTest, ASeriesHasAFrameAxisLabelsAndPlaces) {
    Image image = random_image({3, 2, 1}, 2);
    image.frames[1].label = {.contrast = 1, .repetition = 2, .set = 3, .slice = 4, .phase = 5};
    image.geometry.orientation = Orientation{};
    image.frames[1].orientation = Orientation{{7, 8, 9}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    const Image baseline = random_image({3, 2, 1}, 2);
    write_image_hdf5(path, {.image = image, .baseline = &baseline});
    const H5File file = H5File::open(path);
    EXPECT_THAT(file.dataset_info("/image").extents, ElementsAre(2, 1, 2, 3));
    EXPECT_THAT(file.read_attribute<std::string>("/image", "axes"), ElementsAre("frame", "z", "y", "x"));
    EXPECT_THAT(file.read<Index>("/frames/contrast"), ElementsAre(0, 1));
    EXPECT_THAT(file.read<Index>("/frames/repetition"), ElementsAre(0, 2));
    EXPECT_THAT(file.read<Index>("/frames/set"), ElementsAre(0, 3));
    EXPECT_THAT(file.read<Index>("/frames/slice"), ElementsAre(0, 4));
    EXPECT_THAT(file.read<Index>("/frames/phase"), ElementsAre(0, 5));
    EXPECT_THAT(file.read<double>("/frames/centre_mm"), ElementsAre(0, 0, 0, 7, 8, 9));
    EXPECT_EQ(file.read<cfloat>("/baseline/image"), baseline.voxels);
}

TEST_F(ImageFileTest, TheRunIsReadableWithoutAParserAndAsJson) {
    const RunRecord run = {{"version", "1.2"},
                           {"iterations", 7},
                           {"tolerance", 1e-5},
                           {"converged", true},
                           {"residuals", {1.0, 0.5, 0}},
                           {"counts", {1, 2}},
                           {"none", nlohmann::json::array()},
                           {"log", {"first line", "second, \xce\xbc"}},
                           {"seconds", {{"cg", 2.5}, {"total", 3}}},
                           {"options", {{"lambda", 0.1}, {"scan", "a.h5"}}},
                           {"mixed", {1, "two"}},
                           {"a/b", "slash"},
                           {"absent", nullptr}};
    const Image image = random_image({2, 2, 1});
    write_image_hdf5(path, {.image = image, .run = run});
    const H5File file = H5File::open(path);
    EXPECT_EQ(file.read_attribute_scalar<std::string>("/run", "version"), "1.2");
    EXPECT_EQ(file.read_attribute_scalar<Index>("/run", "iterations"), 7);
    EXPECT_EQ(file.read_attribute_scalar<double>("/run", "tolerance"), 1e-5);
    EXPECT_EQ(file.read_attribute_scalar<Index>("/run", "converged"), 1);
    EXPECT_EQ(file.read_attribute_scalar<std::string>("/run", "a_b"), "slash");
    EXPECT_FALSE(file.has_attribute("/run", "absent"));
    EXPECT_THAT(file.read<double>("/run/residuals"), ElementsAre(1, 0.5, 0));
    EXPECT_THAT(file.read<Index>("/run/counts"), ElementsAre(1, 2));
    EXPECT_TRUE(file.read<double>("/run/none").empty());
    EXPECT_THAT(file.read<std::string>("/run/log"), ElementsAre("first line", "second, \xce\xbc"));
    EXPECT_EQ(file.read_attribute_scalar<double>("/run/seconds", "cg"), 2.5);
    EXPECT_EQ(nlohmann::json::parse(file.read<std::string>("/run/options").at(0)), run["options"]);
    EXPECT_EQ(nlohmann::json::parse(file.read<std::string>("/run/mixed").at(0)), run["mixed"]);
    EXPECT_EQ(nlohmann::json::parse(file.read<std::string>("/run/json").at(0)), run);
}

TEST_F(ImageFileTest, FailureLeavesTheFileThatWasThere) {
    write_image_hdf5(path, {.image = random_image({2, 2, 1})});
    const std::string before = test::contents_of(path);
    Image broken = random_image({2, 2, 1});
    broken.voxels.pop_back();
    EXPECT_THROW(write_image_hdf5(path, {.image = random_image({3, 3, 1}), .baseline = &broken}), ShapeError);
    EXPECT_EQ(test::contents_of(path), before);
    const auto files = std::filesystem::directory_iterator(folder.path());
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);  // no temporary file is left
}

TEST_F(ImageFileTest, MissingFolderIsNamed) {
    const std::string missing = folder / "nowhere";
    const Image image = random_image({2, 2, 1});
    expect_error<InputError>([&] { write_image_hdf5(missing + "/a.h5", {.image = image}); }, {missing});
    expect_error<InputError>([&] { write_json(missing + "/a.json", {}); }, {missing});
}

TEST_F(ImageFileTest, JsonHoldsWhatItIsGiven) {
    const nlohmann::json document = {{"nrmse", 0.25}, {"text", "quote \" and \\"}, {"broken", "\xff"}};
    const std::string json_path = folder / "run.json";
    write_json(json_path, document);
    const auto read = nlohmann::json::parse(test::contents_of(json_path));
    EXPECT_EQ(read["nrmse"], 0.25);
    EXPECT_EQ(read["text"], document["text"]);
    EXPECT_EQ(read["broken"], "\xef\xbf\xbd");  // the replacement character
}

}  // namespace
}  // namespace recon
