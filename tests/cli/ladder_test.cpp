#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/program.hpp"
#include "tests/support/shared_data.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class LadderCommand : public ::testing::Test {
protected:
    test::TemporaryFolder folder_;
};

/// @param is_right  what a step that is wrong on purpose makes depends on what else the GPU does
void expect_figures(const nlohmann::json& sum, const std::string& what, bool is_right) {
    for (const char* field :
         {"seconds", "pairs_per_s", "gflop_per_s", "device_bytes", "requested_bytes", "part_of_bound"}) {
        ASSERT_TRUE(sum.contains(field)) << what << ": " << field << " in " << sum;
        EXPECT_TRUE(sum[field].is_number()) << what << ": " << field;
    }
    EXPECT_GT(sum["seconds"], 0) << what;
    if (is_right) {
        EXPECT_LT(sum["error"]["relative_l2"], 5e-3) << what;
    }
    for (const char* field : {"largest", "relative_l2", "psnr_db", "snr_db"}) {
        EXPECT_TRUE(sum["error"].contains(field)) << what << ": " << field;
    }
}

TEST_F(LadderCommand, MeasuresEveryStepThatCanRunAndSaysWhyTheOthersCannot) {
    const std::string json = folder_ / "ladder.json", html = folder_ / "ladder.html";
    const auto run =
        test::run_recon("ladder --size 8 --samples 64 --repeat 2 --image-size 8 --json " + json + " --html " + html);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    EXPECT_EQ(run.output.find('`'), std::string::npos) << "a setting instead of an option: " << run.output;
    const nlohmann::json report = test::read_json(json);
    EXPECT_EQ(report["voxel_count"], 512);
    EXPECT_EQ(report["sample_count"], 64);
    EXPECT_EQ(report["operations_a_pair"]["q"], 12);
    EXPECT_EQ(report["operations_a_pair"]["fhd"], 16);
    ASSERT_GE(report["steps"].size(), 4U);
    int ran = 0;
    for (const nlohmann::json& step : report["steps"]) {
        const std::string id = step["id"];
        EXPECT_NE(run.output.find(id), std::string::npos) << id;
        for (const char* sum : {"q", "fhd"}) {
            if (step[sum].contains("skipped")) {
                EXPECT_NE(step[sum]["skipped"], "") << id;
                continue;
            }
            ++ran;
            expect_figures(step[sum], id + " " + sum, step["wrong"] == "");
            const double pairs = 512.0 * 64 / step[sum]["seconds"].get<double>();
            EXPECT_NEAR(step[sum]["pairs_per_s"].get<double>() / pairs, 1, 1e-9) << id;
            EXPECT_NEAR(step[sum]["gflop_per_s"].get<double>() / (1e-9 * pairs * (sum[0] == 'q' ? 12 : 16)), 1, 1e-9);
        }
        if (!step["image"].contains("skipped") && step["wrong"] == "") {
            // Noise and resolution leave an image some 10 % from the phantom; no sums in single precision change that.
            EXPECT_LT(step["image"]["from_truth"]["relative_l2"], 0.3) << id;
            EXPECT_LT(step["image"]["from_double"]["relative_l2"], 0.3) << id;
        }
    }
    EXPECT_GE(ran, 8) << "four steps of the CPU, two sums each";
    std::ifstream page(html);
    std::stringstream content;
    content << page.rdbuf();
    EXPECT_NE(content.str().find("<svg"), std::string::npos);
    EXPECT_NE(content.str().find("cpu-double"), std::string::npos);
    EXPECT_EQ(content.str().find("<script"), std::string::npos);
    EXPECT_EQ(content.str().find("href"), std::string::npos) << "the page needs nothing but itself";
}

TEST_F(LadderCommand, EveryStepPassesParboilsCheck) {
    const std::filesystem::path data = shared_data_folder() / "parboil-mri-q";
    const std::filesystem::path input = data / "32_32_32_dataset.bin", reference = data / "32_32_32_dataset.out";
    if (!std::filesystem::exists(input) || !std::filesystem::exists(reference)) {
        GTEST_SKIP() << "no Parboil mri-q data set in " << data << "; set RECON_SHARED_DATA";
    }
    const std::string json = folder_ / "ladder.json";
    const auto run = test::run_recon("ladder --repeat 1 --input " + input.string() + " --check " + reference.string() +
                                     " --json " + json);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    int checked = 0;
    const nlohmann::json report = test::read_json(json);
    for (const nlohmann::json& step : report["steps"]) {
        if (step["q"].contains("check")) {
            ++checked;
            EXPECT_TRUE(step["q"]["check"]["passed"]) << step["id"];
        } else {
            EXPECT_TRUE(step["q"].contains("skipped")) << step["id"];
        }
    }
    EXPECT_GE(checked, 3) << "the CPU's steps for voxels anywhere";
}

TEST_F(LadderCommand, AWrongReferenceIsCodeFive) {
    const std::string input = folder_ / "input.bin", other = folder_ / "other.out";
    ASSERT_EQ(test::run_recon("q --random-phantom --size 4 --samples 20 --write-input " + input).exit_code, 0);
    ASSERT_EQ(test::run_recon("q --random-phantom --size 4 --samples 20 --seed 2 --out " + other).exit_code, 0);
    const auto run = test::run_recon("ladder --steps cpu-single --input " + input + " --check " + other);
    EXPECT_EQ(run.exit_code, 5) << run.output;
    EXPECT_NE(run.output.find("cpu-single"), std::string::npos);
}

TEST_F(LadderCommand, TimesSlowStepsOnAPartOfTheVoxels) {
    const std::string json = folder_ / "ladder.json";
    const auto run = test::run_recon(
        "ladder --size 20 --samples 500 --steps cpu-double --time-limit 0.005 --image-size 8 --json " + json);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const nlohmann::json step = test::read_json(json)["steps"][0];
    ASSERT_TRUE(step["q"].contains("timed_voxels")) << step;
    EXPECT_LT(step["q"]["timed_voxels"], 8000);
    EXPECT_NE(step["image"]["skipped"].get<std::string>().find("limit"), std::string::npos) << step["image"];
    EXPECT_NE(run.output.find("limit"), std::string::npos) << run.output;
}

TEST_F(LadderCommand, RefusesWhatItCannotDo) {
    EXPECT_EQ(test::run_recon("ladder --steps no-such-step").exit_code, 2);
    EXPECT_EQ(test::run_recon("ladder --check reference.out").exit_code, 2);
    EXPECT_EQ(test::run_recon("ladder --input " + (folder_ / "none.bin")).exit_code, 3);
    EXPECT_EQ(test::run_recon("ladder --size 8 --json " + (folder_ / "no/such/folder.json")).exit_code, 3);
    const auto list = test::run_recon("ladder --list");
    EXPECT_EQ(list.exit_code, 0);
    EXPECT_NE(list.output.find("cpu-separable"), std::string::npos);
}

TEST_F(LadderCommand, TheStoryOfTheHeartIsMeasuredAndChecked) {
    const std::string json = folder_ / "heart.json", html = folder_ / "heart.html";
    const auto run =
        test::run_recon("ladder --story heart --size 100 --time 100 --repeat 1 --json " + json + " --html " + html);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const nlohmann::json report = test::read_json(json);
    EXPECT_EQ(report["story"], "heart");
    int ran = 0;
    double largest = 0;
    for (const nlohmann::json& step : report["steps"]) {
        const std::string id = step["id"];
        EXPECT_NE(run.output.find(id), std::string::npos) << id;
        if (step.contains("skipped")) {
            EXPECT_NE(step["skipped"], "") << id;
            continue;
        }
        ++ran;
        EXPECT_EQ(step["gpus"] >= 2, id.starts_with("several-gpus")) << id;
        const bool is_single = step["precision"] == "single";
        EXPECT_LT(step["error"], is_single ? 1e-3 : 1e-12) << id;
        const double all = 100.0 * 100 * report["step_count"].get<double>() / step["seconds"].get<double>();
        EXPECT_NEAR(step["gflops"].get<double>() / (28e-9 * all), 1, 1e-9) << id;
        EXPECT_NEAR(step["gb_per_s"].get<double>() / ((is_single ? 16e-9 : 32e-9) * all), 1, 1e-9) << id;
        if (step["timed_steps"] == report["step_count"] && !is_single) {
            EXPECT_NEAR(step["linf"].get<double>(), largest > 0 ? largest : step["linf"].get<double>(), 1e-9) << id;
            largest = step["linf"];
        }
    }
    EXPECT_GE(ran, 5) << "the steps of the CPU";
    std::ifstream page(html);
    std::stringstream content;
    content << page.rdbuf();
    EXPECT_NE(content.str().find("<svg"), std::string::npos);
    EXPECT_NE(content.str().find("570.656"), std::string::npos) << "the published twin beside ours";
    EXPECT_EQ(content.str().find("<script"), std::string::npos);
}

TEST_F(LadderCommand, TheStoryOfTheHeartTimesWhatFits) {
    const std::string json = folder_ / "heart.json";
    const auto run = test::run_recon(
        "ladder --story heart --device cpu --size 200 --steps cpu-serial --time-limit 0.05 --json " + json);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const nlohmann::json step = test::read_json(json)["steps"][0];
    EXPECT_LT(step["timed_steps"], test::read_json(json)["step_count"]);
    EXPECT_NE(run.output.find("slower than the time limit"), std::string::npos) << run.output;
    EXPECT_EQ(test::run_recon("ladder --story heart --steps no-such-step").exit_code, 2);
    EXPECT_EQ(test::run_recon("ladder --story heart --samples 5").exit_code, 2);
    EXPECT_EQ(test::run_recon("ladder --time 5").exit_code, 2);
    EXPECT_EQ(test::run_recon("ladder --size 1000").exit_code, 2);
    EXPECT_EQ(test::run_recon("ladder --story heart --size 1").exit_code, 2);
    EXPECT_EQ(test::run_recon("ladder --story love").exit_code, 2);
    EXPECT_NE(test::run_recon("ladder --story heart --list").output.find("cpu-fused"), std::string::npos);
}

}  // namespace
}  // namespace recon
