#include "app/cli/compare_command.hpp"

#include <gtest/gtest.h>

#include <cmath>
#include <fstream>
#include <nlohmann/json.hpp>

#include "app/report/comparison_report.hpp"
#include "core/base/error.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
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
