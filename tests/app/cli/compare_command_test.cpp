#include "app/cli/compare_command.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>
#include <tuple>

#include "app/report/comparison_report.hpp"
#include "core/base/error.hpp"
#include "data/formats/nifti/nifti_writer.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "data/reading/placed_image_reader.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using test::expect_error;

class CompareCommandTest : public ::testing::Test {
protected:
    void run(const std::vector<std::string>& arguments) {
        CLI::App app;
        add_compare_command(app);
        std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());  // as CLI11 wants them
        reversed.emplace_back("compare");
        ::testing::internal::CaptureStdout();
        std::exception_ptr failure;
        try {
            app.parse(reversed);
        } catch (...) {
            failure = std::current_exception();
        }
        printed = ::testing::internal::GetCapturedStdout();
        if (failure) {
            std::rethrow_exception(failure);
        }
    }

    std::string write(const std::string& name, PerAxis<Index> size, Index frame_count, cfloat factor) {
        Image image;
        image.geometry.matrix_size = size;
        image.frames.assign(frame_count, ImageFrame{});
        for (const cdouble value : test::random_values(image.voxel_count(), 21)) {
            image.voxels.push_back(cfloat(value) * factor);
        }
        const auto first = image.voxels;
        for (Index frame = 1; frame < frame_count; ++frame) {
            image.voxels.insert(image.voxels.end(), first.begin(), first.end());
        }
        write_image_hdf5(folder / name, {.image = image});
        return folder / name;
    }

    nlohmann::json read_json(const std::string& path) {
        std::ifstream file(path);
        return nlohmann::json::parse(file);
    }

    test::TemporaryFolder folder;
    std::string printed;
};

TEST_F(CompareCommandTest, PrintsFiguresAndWritesThemWithAPicture) {
    const std::string image = write("a.h5", {8, 7, 3}, 1, {0, 2}), reference = write("b.h5", {8, 7, 3}, 1, 1);
    run({image, reference, "--json", folder / "c.json", "--png", folder / "c.png"});
    EXPECT_NE(printed.find("223.6 %"), std::string::npos) << printed;  // |2i - 1| = sqrt 5
    EXPECT_NE(printed.find("0.5 at -90.0 deg"), std::string::npos) << printed;
    const auto json = read_json(folder / "c.json");
    EXPECT_NEAR(json["nrmse"].get<double>(), std::sqrt(5.0), 1e-6);
    EXPECT_LT(json["nrmse_scaled"].get<double>(), 1e-6);  // float
    EXPECT_NEAR(json["ssim"].get<double>(), 1, 1e-6);
    EXPECT_EQ(json["voxels"], 168);
    EXPECT_EQ(json["matrix_size"], (std::vector<Index>{8, 7, 3}));
    EXPECT_FALSE(json.contains("frames"));
    std::ifstream picture(folder / "c.png", std::ios::binary);
    char signature[4] = {};
    picture.read(signature, 4);
    EXPECT_EQ(std::string(signature, 4), "\x89PNG");
}

TEST_F(CompareCommandTest, ASeriesIsComparedFrameByFrame) {
    const std::string image = write("a.h5", {5, 4, 1}, 3, 2), reference = write("b.h5", {5, 4, 1}, 1, 1);
    run({image, reference, "--json", folder / "c.json"});
    const auto json = read_json(folder / "c.json");
    EXPECT_EQ(json["frames"].size(), 3U);
    EXPECT_NEAR(json["nrmse"].get<double>(), 1, 1e-6);
    EXPECT_NEAR(json["frames"][2]["nrmse"].get<double>(), 1, 1e-6);
    const std::string two = write("d.h5", {5, 4, 1}, 2, 1);
    expect_error<InputError>([&] { run({image, two}); }, {"a.h5", "3 frames", "d.h5", "2 frames"});
}

/// NIfTI holds no phase.
TEST_F(CompareCommandTest, MagnitudesAreComparedWhereOneFileHasNoOther) {
    const std::string image = write("a.h5", {8, 7, 3}, 1, {0, 1});
    write_nifti(folder / "b.nii", read_placed_image(image).image);
    for (const auto& [one, other, without] :
         {std::tuple{image, folder / "b.nii", "reference"}, std::tuple{folder / "b.nii", image, "image"}}) {
        run({one, other, "--json", folder / "c.json"});
        EXPECT_LT(read_json(folder / "c.json")["nrmse"].get<double>(), 1e-6);
        EXPECT_NE(printed.find(std::string("magnitudes are compared, as the ") + without), std::string::npos)
            << printed;
    }
    run({image, image});
    EXPECT_EQ(printed.find("note"), std::string::npos) << printed;
}

/// Axes exchanged and turned round, as programs write images that they show.
TEST_F(CompareCommandTest, ImagesAreComparedByPosition) {
    Image image;
    image.geometry.matrix_size = {5, 4, 3};
    image.geometry.field_of_view_mm = {50, 60, 45};
    image.geometry.orientation = Orientation{{7, -3, 2}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const cdouble value : test::random_values(image.voxel_count(), 3)) {
        image.voxels.push_back(cfloat(value));
    }
    Image turned = image;  // its x is -y of the first: voxel i lies where y = 3 - i is
    turned.geometry.matrix_size = {4, 5, 3};
    turned.geometry.field_of_view_mm = {60, 50, 45};
    turned.geometry.orientation = Orientation{{7, -18, 2}, {0, -1, 0}, {1, 0, 0}, {0, 0, 1}};
    for (Index z = 0; z < 3; ++z) {
        for (Index y = 0; y < 5; ++y) {
            for (Index x = 0; x < 4; ++x) {
                turned.voxels[static_cast<std::size_t>((z * 5 + y) * 4 + x)] =
                    image.voxels[static_cast<std::size_t>((z * 4 + 3 - x) * 5 + y)];
            }
        }
    }
    write_image_hdf5(folder / "a.h5", {.image = image});
    write_image_hdf5(folder / "b.h5", {.image = turned});
    run({folder / "a.h5", folder / "b.h5", "--json", folder / "c.json"});
    EXPECT_LT(read_json(folder / "c.json")["nrmse"].get<double>(), 1e-5);
    EXPECT_NE(printed.find("compared by position"), std::string::npos) << printed;
    turned.geometry.orientation->centre_mm[2] += 500;
    write_image_hdf5(folder / "b.h5", {.image = turned});
    expect_error<InputError>([&] { run({folder / "a.h5", folder / "b.h5"}); }, {"expected equal sizes"});
    image.geometry.orientation->centre_mm[2] += 500;
    write_image_hdf5(folder / "c.h5", {.image = image});
    run({folder / "a.h5", folder / "c.h5"});
    EXPECT_NE(printed.find("lies elsewhere: compared voxel by voxel"), std::string::npos) << printed;
}

/// NIfTI has slices as one volume.
TEST_F(CompareCommandTest, SlicesAreComparedWithTheVolumeThatTheyForm) {
    Image slices;
    slices.geometry.matrix_size = {5, 4, 1};
    slices.geometry.field_of_view_mm = {50, 60, 4};
    slices.frames.clear();
    slices.geometry.orientation = Orientation{{7, -3, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    for (const Index i : {2, 0, 4, 3, 1, 5}) {  // two echoes of three slices
        const Index slice = i / 2;
        slices.frames.push_back(
            {{.contrast = i % 2, .slice = slice},
             Orientation{{7, -3, 5.0 * static_cast<double>(slice)}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1}}});
    }
    for (const cdouble value : test::random_values(6 * slices.voxel_count(), 3)) {
        slices.voxels.push_back(std::abs(cfloat(value)));
    }
    write_image_hdf5(folder / "a.h5", {.image = slices});
    write_nifti(folder / "b.nii", slices);
    for (const auto& [one, other, with] : {std::tuple{folder / "a.h5", folder / "b.nii", "image"},
                                           std::tuple{folder / "b.nii", folder / "a.h5", "reference"}}) {
        run({one, other, "--json", folder / "c.json"});
        EXPECT_LT(read_json(folder / "c.json")["nrmse"].get<double>(), 1e-5) << printed;
        EXPECT_NE(printed.find(std::string("the slices of the ") + with), std::string::npos) << printed;
    }
}

TEST_F(CompareCommandTest, WhatCannotBeComparedIsNamed) {
    const std::string image = write("a.h5", {5, 4, 1}, 1, 1), other = write("b.h5", {4, 5, 1}, 1, 1),
                      zero = write("z.h5", {5, 4, 1}, 1, 0);
    expect_error<InputError>([&] { run({image, other}); }, {"a.h5 is [x 5, y 4, z 1]", "b.h5 is [x 4, y 5, z 1]"});
    expect_error<InputError>([&] { run({image, zero}); }, {"a.h5", "z.h5", "zero everywhere"});
    expect_error<InputError>([&] { run({image, image, "--dataset", "/baseline/image"}); }, {"/baseline/image"});
    expect_error<InputError>([&] { run({image, image, "--json", folder / "none/a.json"}); }, {"none"});
    EXPECT_THROW(run({image}), CLI::RequiredError);
}

TEST(ComparisonReport, InfiniteRatiosAreNullInJsonAndInfInTheTable) {
    const std::vector<cfloat> image{1, 2, 0, 4};
    ImageComparison figures = compare_images(image, image, {4, 1, 1});
    EXPECT_TRUE(std::isinf(figures.psnr_db));
    const auto json = comparison_json(figures);
    EXPECT_TRUE(json["psnr_db"].is_null());
    EXPECT_EQ(json["nrmse"], 0);
    EXPECT_NE(comparison_table({&figures, 1}).find("inf dB"), std::string::npos);
    EXPECT_THROW(comparison_json(std::span<const ImageComparison>()), ShapeError);
}

}  // namespace
}  // namespace recon
