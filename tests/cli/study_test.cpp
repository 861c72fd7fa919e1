// recon study as a user runs it.
#include <gtest/gtest.h>

#include <cmath>
#include <fstream>

#include "tests/support/backends.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class Study : public ::testing::TestWithParam<test::BackendFactory> {
protected:
    test::TemporaryFolder folder_;
};

// Every row runs, and every least-squares row ends at one image: five iterations amplify the rounding of single
// precision to 1e-4 at most. FastTrig without range reduction is the lesson: its
// image is worse, and it is the only one.
TEST_P(Study, RunsEveryRow) {
    const auto run = test::run_recon(
        "study stone2008 --size 10 --samples 2500 --iterations 5 --time-limit 1000 --image-time-limit 8 --device " +
        GetParam().name + " --json " + (folder_ / "study.json"));
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(run.output.find("Computing Frontiers 2008"), std::string::npos);
    const auto json = test::read_json(folder_ / "study.json");
    const bool on_gpu = GetParam().name != "cpu";
    double reference = 0;
    for (const auto& row : json["rows"]) {
        reference = row["id"] == "recon-double" ? row["image"]["error"].get<double>() : reference;
    }
    ASSERT_GT(reference, 0);
    int images = 0;
    for (const auto& row : json["rows"]) {
        const std::string id = row["id"];
        if (row.contains("skipped")) {
            EXPECT_FALSE(on_gpu) << id << ": " << row["skipped"];
            continue;
        }
        ++images;
        ASSERT_TRUE(row.contains("image")) << id;
        if (!id.starts_with("gridding")) {
            const double error = row["image"]["error"];
            EXPECT_NEAR(error, reference, (id == "fasttrig" || id == "separable-tf32" ? 0.2 : 1e-3) * reference) << id;
        }
    }
    EXPECT_GE(images, on_gpu ? 20 : 7);
    ASSERT_EQ(json["ratios"].size(), 4U);
    EXPECT_TRUE(json["ratios"][0]["program"].is_number());
    // The image half, on twice as many voxels: W in place, the steps that are no lesson in errors agree to 0.1 dB.
    ASSERT_EQ(json["images"].size(), 7U);
    EXPECT_LT(json["images"][6]["error"].get<double>(), 0.6 * json["images"][0]["error"].get<double>());
    for (const auto& step : json["step_images"]) {
        if (!step.contains("skipped")) {
            EXPECT_LT(std::abs(step["psnr_change_db"].get<double>()), 0.1) << step["id"];
        }
    }
    EXPECT_NE(run.output.find("within 0.1 dB"), std::string::npos) << run.output;
}

INSTANTIATE_TEST_SUITE_P(, Study, test::every_backend(), test::backend_name);

TEST(StudyUsage, WrongOptionsAreCodeTwo) {
    EXPECT_EQ(test::run_recon("study").exit_code, 2);
    EXPECT_EQ(test::run_recon("study stone2009").exit_code, 2);
    EXPECT_EQ(test::run_recon("study stone2008 --size 0").exit_code, 2);
    EXPECT_EQ(test::run_recon("study stone2008 --size 8 --samples 600 --device cpu --steps nothing").exit_code, 2);
    EXPECT_EQ(test::run_recon("study stone2008 --json /no/such/folder/x.json").exit_code, 3);
    const auto list = test::run_recon("study stone2008 --list");
    EXPECT_EQ(list.exit_code, 0);
    EXPECT_NE(list.output.find("cpu-double"), std::string::npos);
}

TEST(StudyFiles, OfOneNameAreRefusedAndInputsAreKept) {
    const test::TemporaryFolder folder;
    const std::string file = folder / "file";
    for (const std::string command :
         {"study trio --json F --png F", "study sodium --out F --json F", "study stone2008 --json F --html F",
          "ladder --json F --html F", "ladder --story heart --json F --html F", "heart --out F --json F"}) {
        std::string words = command;
        for (std::size_t at = words.find(" F"); at != std::string::npos; at = words.find(" F", at)) {
            words.replace(at + 1, 1, file);
        }
        const auto run = test::run_recon(words);
        EXPECT_EQ(run.exit_code, 2) << words << run.output;
        EXPECT_NE(run.output.find("are one file"), std::string::npos) << run.output;
    }
    std::ofstream(file) << R"({"device": "none", "rows": []})";
    for (const std::string& words :
         {"bench --json " + file + " --compare " + file, "ladder --json " + file + " --input " + file}) {
        const auto run = test::run_recon(words);
        EXPECT_EQ(run.exit_code, 2) << words << run.output;
        EXPECT_NE(run.output.find("would overwrite"), std::string::npos) << run.output;
    }
    EXPECT_EQ(test::contents_of(file), R"({"device": "none", "rows": []})");
}

TEST(StudyTables, HaveNoHeadWhereTheirStepsAreRefused) {
    for (const char* command : {"ladder --steps nonsense", "ladder --story heart --steps nonsense",
                                "study stone2008 --steps nonsense", "study trio --device nonsense"}) {
        const auto run = test::run_recon(command);
        EXPECT_EQ(run.exit_code, 2) << command << run.output;
        EXPECT_TRUE(run.output.starts_with("recon: error: ")) << command << run.output;
    }
}

}  // namespace
}  // namespace recon
