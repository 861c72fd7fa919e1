// recon merge: images of some frames each become the series that one run would have written.
#include <gtest/gtest.h>

#include <filesystem>

#include "data/files/hdf5_file.hpp"
#include "data/formats/recon_h5/image_hdf5_writer.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class Merge : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = new test::TemporaryFolder;
        simulate("scan.h5", "--frames 3");
        simulate("larger.h5", "--frames 1 --matrix 24 20");
        for (int frame = 0; frame < 3; ++frame) {
            reconstruct("scan.h5", "--select repetition=" + std::to_string(frame), name_of(frame));
        }
    }
    static void TearDownTestSuite() {
        delete folder_;
        folder_ = nullptr;
    }
    static std::string file(const std::string& name) { return *folder_ / name; }
    static std::string name_of(int frame) { return "frame-" + std::to_string(frame) + ".h5"; }
    static void simulate(const std::string& out, const std::string& options) {
        const auto run =
            test::run_recon("simulate --trajectory radial --coils 3 --out " + file(out) +
                            (options.find("--matrix") == std::string::npos ? " --matrix 20 20 " : " ") + options);
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    static void reconstruct(const std::string& scan, const std::string& options, const std::string& out) {
        const auto run = test::run_recon("--scan " + file(scan) + " --device cpu --prior none --iterations 4 " +
                                         "--baseline --no-cache --out " + file(out) + " " + options);
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    static test::ProgramRun merge(const std::string& names, const std::string& options = "") {
        std::string arguments = "merge --out " + file("series.h5") + " " + options;
        for (std::size_t begin = 0; begin < names.size();) {
            const std::size_t end = std::min(names.find(' ', begin), names.size());
            arguments += " " + file(names.substr(begin, end - begin));
            begin = end + 1;
        }
        return test::run_recon(arguments);
    }
    static void expect_refused(const std::string& names, const std::string& options, const std::string& words) {
        const auto run = merge(names, options);
        EXPECT_EQ(run.exit_code, 3) << run.output;
        EXPECT_NE(run.output.find(words), std::string::npos) << run.output;
        EXPECT_FALSE(std::filesystem::exists(file("series.h5")));
    }

    static test::TemporaryFolder* folder_;
};

test::TemporaryFolder* Merge::folder_ = nullptr;

TEST_F(Merge, FramesInAnyOrderBecomeTheSeriesOfOneRun) {
    reconstruct("scan.h5", "", "whole.h5");
    const auto run = merge("frame-2.h5 frame-0.h5 frame-1.h5", "--frames 3");
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const H5File merged = H5File::open(file("series.h5")), whole = H5File::open(file("whole.h5"));
    for (const char* dataset : {"/image", "/baseline/image"}) {
        EXPECT_EQ(merged.dataset_info(dataset).extents, whole.dataset_info(dataset).extents);
        EXPECT_EQ(merged.read<cfloat>(dataset), whole.read<cfloat>(dataset)) << dataset;
    }
    EXPECT_EQ(merged.read<Index>("/frames/repetition"), (std::vector<Index>{0, 1, 2}));
    EXPECT_EQ(merged.read_attribute<double>("/image", "field_of_view_mm"),
              whole.read_attribute<double>("/image", "field_of_view_mm"));
    EXPECT_EQ(merged.read<double>("/coverage/xy"), whole.read<double>("/coverage/xy"));
    const auto record = nlohmann::json::parse(merged.read<std::string>("/run/json").front());
    const auto of_whole = nlohmann::json::parse(whole.read<std::string>("/run/json").front());
    ASSERT_EQ(record["frames"].size(), 3U);
    for (std::size_t frame = 0; frame < 3; ++frame) {
        EXPECT_EQ(record["frames"][frame]["label"]["repetition"], frame);
        EXPECT_EQ(record["frames"][frame]["residuals"], of_whole["frames"][frame]["residuals"]);
    }
    EXPECT_EQ(record["merged"].size(), 3U);
    EXPECT_NE(record["command"].get<std::string>().find("recon merge"), std::string::npos);
    const auto report = test::run_recon("report " + file("series.h5"));
    EXPECT_EQ(report.exit_code, 0) << report.output;
    std::filesystem::remove(file("series.h5"));
}

/// With the default prior, whose frames have most to tell.
TEST_F(Merge, AllThatIsKnownOfAFrameIsKept) {
    const std::string options = " --device cpu --no-cache --no-check --scan " + file("scan.h5");
    std::string names;
    for (int frame = 0; frame < 3; ++frame) {
        const std::string name = "default-" + name_of(frame);
        ASSERT_EQ(test::run_recon("--select repetition=" + std::to_string(frame) + options + " --out " + file(name))
                      .exit_code,
                  0);
        names += (names.empty() ? "" : " ") + name;
    }
    ASSERT_EQ(merge(names).exit_code, 0);
    ASSERT_EQ(test::run_recon(options + " --out " + file("default.h5")).exit_code, 0);
    const auto frame_of = [](const std::string& path) {
        return nlohmann::json::parse(H5File::open(path).read<std::string>("/run/json").front())["frames"][1];
    };
    const nlohmann::json merged = frame_of(file("series.h5"));
    const nlohmann::json of_one_run = frame_of(file("default.h5"));
    for (const auto& [name, value] : of_one_run.items()) {
        EXPECT_TRUE(merged.contains(name)) << name;
    }
    EXPECT_TRUE(merged.contains("predicted_error"));
    std::filesystem::remove(file("series.h5"));
}

/// A job array of a thousand is nothing out of the way.
TEST_F(Merge, TakesMoreFilesThanAProcessMayOpen) {
    constexpr Index frame_count = 60;
    std::string names;
    for (Index frame = 0; frame < frame_count; ++frame) {
        Image image;
        image.geometry.matrix_size = {2, 2, 1};
        image.frames.front().label.repetition = frame;
        image.voxels.assign(4, cfloat(static_cast<float>(frame)));
        const std::string name = "small-" + std::to_string(frame) + ".h5";
        write_image_hdf5(file(name), {.image = image});
        names += " " + file(name);
    }
    const auto run =
        test::run_recon("merge --out " + file("series.h5") + names, "sh -c 'ulimit -n 32; exec \"$@\"' sh");
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_EQ(H5File::open(file("series.h5")).dataset_info("/image").extents[0], frame_count);
    std::filesystem::remove(file("series.h5"));
}

/// Those of a series that is merged with another frame as well.
TEST_F(Merge, MapsStayWithTheFrameThatTheyWereMadeFor) {
    simulate("unmapped.h5", "--frames 3 --no-coil-maps");
    for (int frame = 0; frame < 3; ++frame) {
        reconstruct("unmapped.h5", "--select repetition=" + std::to_string(frame), "unmapped-" + name_of(frame));
    }
    ASSERT_EQ(merge("unmapped-frame-0.h5 unmapped-frame-1.h5").exit_code, 0);
    std::filesystem::rename(file("series.h5"), file("two.h5"));
    ASSERT_EQ(merge("unmapped-frame-2.h5 two.h5").exit_code, 0);
    const H5File merged = H5File::open(file("series.h5"));
    EXPECT_EQ(nlohmann::json::parse(merged.read<std::string>("/run/json").front())["merged"].size(), 2U);
    for (int frame = 0; frame < 3; ++frame) {
        const H5File one = H5File::open(file("unmapped-" + name_of(frame)));
        EXPECT_EQ(merged.read<cfloat>("/frame_" + std::to_string(frame) + "/coil_maps"),
                  one.read<cfloat>("/coil_maps"));
    }
    std::filesystem::remove(file("series.h5"));
}

TEST_F(Merge, WhatDoesNotFitTogetherIsRefused) {
    reconstruct("larger.h5", "", "large.h5");
    expect_refused("frame-0.h5 large.h5", "", "expected equal sizes");
    expect_refused("frame-0.h5 frame-1.h5 frame-1.h5", "", "both hold repetition 1");
    expect_refused("frame-0.h5 frame-2.h5", "", "missing: repetition 1");
    expect_refused("frame-0.h5 frame-1.h5", "--frames 3", "found 2 frames in 2 files, expected 3 (--frames)");
    expect_refused("frame-0.h5 scan.h5", "", "is no image file that recon wrote");
    expect_refused("frame-0.h5 nowhere.h5", "", "nowhere.h5");
    EXPECT_EQ(test::run_recon("merge --out " + file("frame-0.h5") + " " + file("frame-0.h5")).exit_code, 2);
}

TEST_F(Merge, GapsAreJoinedWhereThatIsAskedFor) {
    const auto run = merge("frame-0.h5 frame-2.h5", "--gaps");
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_EQ(H5File::open(file("series.h5")).read<Index>("/frames/repetition"), (std::vector<Index>{0, 2}));
    std::filesystem::remove(file("series.h5"));
}

TEST_F(Merge, OtherOptionsAreSaid) {
    reconstruct("scan.h5", "--select repetition=1 --tol 1e-3", "other.h5");
    const auto run = merge("frame-0.h5 other.h5");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(run.output.find("was made with other options than"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find(": tol"), std::string::npos) << run.output;
    std::filesystem::remove(file("series.h5"));
}

}  // namespace
}  // namespace recon
