#include <gtest/gtest.h>

#include <fstream>

#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

TEST(Bench, EveryLineHasASpeedAndAnErrorBelowItsTolerance) {
    const test::TemporaryFolder folder;
    const std::string json = folder / "bench.json";
    const auto run = test::run_recon("bench --device cpu --size 8 --only exact,toeplitz,nufft,start --json " + json);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const nlohmann::json table = test::read_json(json);
    EXPECT_GT(table["copy_bytes_per_s"].get<double>(), 1e8);
    EXPECT_GT(table["fp32_flops"].get<double>(), 1e8);
    std::map<std::string, int> lines;
    for (const nlohmann::json& row : table["rows"]) {
        const std::string work = row["work"];
        ++lines[work.substr(0, work.find(' '))];
        EXPECT_GT(row["seconds"].get<double>(), 0) << work;
        EXPECT_LT(row["error"].get<double>(), work.starts_with("NUFFT") ? 1e-4 : 2e-6) << work << ", " << row["size"];
    }
    EXPECT_EQ(lines, (std::map<std::string, int>{{"exact", 5}, {"Toeplitz", 3}, {"NUFFT", 7}, {"cold", 1}}));
}

TEST(Bench, WholeReconstructionsShowTheTrueImage) {
    const test::TemporaryFolder folder;
    const std::string json = folder / "bench.json";
    const auto run = test::run_recon("bench --device cpu --size 16 --only reconstruction --json " + json);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const nlohmann::json rows = test::read_json(json)["rows"];
    ASSERT_EQ(rows.size(), 2u);
    for (const nlohmann::json& row : rows) {
        EXPECT_LT(row["error"].get<double>(), 0.2) << row["size"];  // noise of SNR 20, and few voxels
    }
}

TEST(Bench, SaysWhatBecameSlower) {
    const test::TemporaryFolder folder;
    const std::string json = folder / "before.json";
    const std::string command = "bench --device cpu --size 8 --only toeplitz ";
    ASSERT_EQ(test::run_recon(command + "--json " + json).exit_code, 0);
    nlohmann::json table = test::read_json(json);
    const std::size_t count = table["rows"].size();
    for (nlohmann::json& row : table["rows"]) {
        row["seconds"] = row["seconds"].get<double>() * 1e6;
    }
    table["rows"][1]["seconds"] = 1e-12;
    table["rows"][count - 1]["size"] = "another";
    std::ofstream(json) << table;
    const auto run = test::run_recon(command + "--compare " + json);
    EXPECT_EQ(run.exit_code, 5) << run.output;
    EXPECT_NE(run.output.find("compared with " + std::to_string(count - 1) + " lines"), std::string::npos)
        << run.output;
    EXPECT_NE(run.output.find(": 1 slower"), std::string::npos) << run.output;
    EXPECT_NE(run.output.find("slower: " + table["rows"][1]["work"].get<std::string>()), std::string::npos);
    table["rows"][1]["seconds"] = 1e6;
    std::ofstream(json) << table;
    const auto faster = test::run_recon(command + "--compare " + json);
    EXPECT_EQ(faster.exit_code, 0) << faster.output;
    EXPECT_NE(faster.output.find(": 0 slower"), std::string::npos) << faster.output;
    std::ofstream(json) << "{}";
    EXPECT_EQ(test::run_recon(command + "--compare " + json).exit_code, 3);
    EXPECT_EQ(test::run_recon(command + "--compare /nowhere.json").exit_code, 3);
}

TEST(Bench, AComparisonOfNothingFails) {
    const test::TemporaryFolder folder;
    const std::string json = folder / "before.json";
    ASSERT_EQ(test::run_recon("bench --device cpu --size 8 --only toeplitz --json " + json).exit_code, 0);
    const auto run = test::run_recon("bench --device cpu --size 8 --only exact --compare " + json);
    EXPECT_EQ(run.exit_code, 5);
    EXPECT_NE(run.output.find("no line has the work and size of one measured now"), std::string::npos) << run.output;
}

TEST(Bench, SaysWhichVectorsItUses) {
    const std::string command = "bench --device cpu --size 8 --only toeplitz";
    EXPECT_EQ(test::run_recon(command, "RECON_CPU_LEVEL=fastest").exit_code, 2);
    if (!test::has_cpu_levels()) {
        GTEST_SKIP() << "compiled for one kind of processor (RECON_CPU_ARCH)";
    }
    const auto base = test::run_recon(command, "RECON_CPU_LEVEL=base");
    EXPECT_EQ(base.exit_code, 0) << base.output;
    EXPECT_NE(base.output.find("vectors of 16 bytes"), std::string::npos) << base.output;
}

TEST(Bench, PartsCanBeChosen) {
    const auto run = test::run_recon("bench --device cpu --size 8 --only toeplitz");
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(run.output.find("Toeplitz"), std::string::npos);
    EXPECT_EQ(run.output.find("NUFFT"), std::string::npos);
    EXPECT_EQ(test::run_recon("bench --only everything").exit_code, 2);
    EXPECT_EQ(test::run_recon("bench --device cpu --size 8 --only start --json /nowhere/bench.json").exit_code, 3);
}

/// Not how well they predict, which is a benchmark: that they are kept, and found again.
TEST(Bench, CalibrationIsKeptForLaterRuns) {
    const test::TemporaryFolder folder;
    const std::string cache = "XDG_CACHE_HOME=" + folder.path(), json = folder / "costs.json";
    const auto run = test::run_recon("bench --calibrate --json " + json, cache);
    ASSERT_EQ(run.exit_code, 0) << run.output;
    const nlohmann::json table = test::read_json(json);
    for (const nlohmann::json& row : table["rows"]) {
        for (const char* seconds : {"measured_s", "fitted_s", "built_in_s"}) {
            EXPECT_GT(row[seconds], 0) << row;
        }
    }
    const std::string scan = folder / "scan.h5";
    ASSERT_EQ(test::run_recon("simulate --matrix 24 24 --out " + scan).exit_code, 0);
    const auto later =
        test::run_recon("--scan " + scan + " --device cpu --prior none --out " + (folder / "image.h5"), cache);
    EXPECT_EQ(later.exit_code, 0) << later.output;
    EXPECT_NE(later.output.find("fitted to this machine"), std::string::npos) << later.output;
}

TEST(Bench, CalibrationIsOfTheProcessorAndNeedsAPlace) {
    EXPECT_EQ(test::run_recon("bench --calibrate --device cuda:0").exit_code, 2);
    EXPECT_EQ(test::run_recon("bench --calibrate", "XDG_CACHE_HOME= HOME=").exit_code, 3);
    const test::TemporaryFolder folder;
    std::ofstream(folder / "file") << "";
    const auto refused = test::run_recon("bench --calibrate", "XDG_CACHE_HOME=" + (folder / "file"));
    EXPECT_EQ(refused.exit_code, 3);
    EXPECT_EQ(refused.output.find("threads"), std::string::npos) << "before anything is measured: " << refused.output;
    for (const char* of_table : {"--only exact", "--size 16", "--compare table.json", "--ranks"}) {
        EXPECT_EQ(test::run_recon(std::string("bench --calibrate ") + of_table).exit_code, 2) << of_table;
    }
}

}  // namespace
}  // namespace recon
