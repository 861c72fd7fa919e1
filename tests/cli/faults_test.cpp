// Faults of the system, one call after the other: the run ends with a line, what was there before stays whole.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <set>

#include "data/reading/placed_image_reader.hpp"
#include "tests/support/faults/preloading.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;

class Faults : public ::testing::Test {
protected:
    void SetUp() override {
        if (test::is_sanitized) {
            GTEST_SKIP() << test::why_not_sanitized;
        }
        simulate("--matrix 16 16");
    }
    void simulate(const std::string& size) {
        const auto run = test::run_recon("simulate --coils 2 " + size + " --out " + scan_);
        ASSERT_EQ(run.exit_code, 0) << run.output;
        const auto whole = test::run_recon("--scan " + scan_ + options_ + "--out " + (folder_ / "whole.h5"));
        ASSERT_EQ(whole.exit_code, 0) << whole.output;
        whole_ = read_placed_image(folder_ / "whole.h5").image.voxels;
        bytes_of_scan_ = test::contents_of(scan_);
    }
    /// A run with a fault. @return its exit code; none: it did not come to that
    std::optional<int> exit_code_with(const std::string& fault, const std::string& more) {
        fs::remove(folder_ / "log");
        for (const std::string& name : outputs_) {
            std::ofstream(folder_ / name) << before;
        }
        const auto run = test::run_recon("--scan " + scan_ + options_ + "--out " + (folder_ / "image.h5") + " --png " +
                                             (folder_ / "image.png") + " --json " + (folder_ / "run.json") + " " + more,
                                         std::string("LD_PRELOAD=") + test::fault_library_path() +
                                             " RECON_FAULT=" + fault + " RECON_FAULT_LOG=" + (folder_ / "log"));
        if (!fs::exists(folder_ / "log")) {
            return std::nullopt;
        }
        SCOPED_TRACE(fault + ": " + run.output);
        expect_nothing_lost(run.exit_code);
        if (run.exit_code != 0) {
            EXPECT_NE(run.output.find("recon: error: "), std::string::npos);
        }
        return run.exit_code;
    }
    void expect_nothing_lost(int exit_code) const {
        EXPECT_EQ(test::contents_of(scan_), bytes_of_scan_) << "the scan";
        for (const std::string& name : outputs_) {
            const std::string now = test::contents_of(folder_ / name);
            EXPECT_TRUE(now == before || now.size() > 100) << name << " is neither old nor new";
            EXPECT_TRUE(now != before || exit_code != 0) << name << " is not there, and nobody says so";
        }
        if (test::contents_of(folder_ / "image.h5") != before) {
            EXPECT_EQ(read_placed_image(folder_ / "image.h5").image.voxels, whole_);
        }
        for (const auto& entry : fs::directory_iterator(folder_.path())) {
            EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << entry.path();
        }
    }
    /// The N-th call fails for N = 1, 1 + step, ... until none is left. @return the first N that there is not
    int expect_survived(const std::string& kind, const std::string& tail, const std::set<int>& exit_codes,
                        const std::string& more = "", int step = 1) {
        constexpr int most = 1000;
        int number = 1;
        for (; number < most; number += step) {
            const auto exit_code = exit_code_with(kind + ":" + std::to_string(number) + tail, more);
            if (!exit_code) {
                break;
            }
            EXPECT_TRUE(exit_codes.contains(*exit_code)) << kind << " " << number << ": exit code " << *exit_code;
        }
        EXPECT_GT(number, 2);
        EXPECT_LT(number, most);
        return number;
    }

    static constexpr const char* before = "what was there before";
    const std::vector<std::string> outputs_{"image.h5", "image.png", "run.json"};
    const std::string options_ = " --device cpu --prior none --iterations 2 --no-cache --no-check --quiet ";
    test::TemporaryFolder folder_;
    std::string scan_ = folder_ / "scan.h5";
    std::string bytes_of_scan_;
    std::vector<cfloat> whole_;
};

TEST_F(Faults, AFullDiskAtEveryWrite) { expect_survived("write", "", {3}); }
TEST_F(Faults, ADiskThatStaysFullFromEveryWriteOn) { expect_survived("write", ":from", {3}); }
TEST_F(Faults, AnErrorAtEverySynchronisation) { expect_survived("sync", "", {0, 3}); }
/// Maps that are estimated go to the file, and to the disk, before there is an image.
TEST_F(Faults, OfTheDiskWhileCoilMapsAreWrittenAhead) {
    simulate("--matrix 16 16 --no-coil-maps");
    expect_survived("write", "", {3});
    expect_survived("sync", "", {0, 3});
    EXPECT_EQ(exit_code_with("sync:1", ""), 3) << "what the disk refused is forgotten";
}

TEST_F(Faults, AnErrorAtEveryClose) { expect_survived("close", "", {0, 3}); }
TEST_F(Faults, AnErrorAtEveryRename) { expect_survived("rename", "", {3}); }

/// A checkpoint that cannot be written is a warning, and no reason to lose the run.
TEST_F(Faults, AFullDiskWithACheckpoint) {
    expect_survived("write", "", {0, 3}, "--every 0 --checkpoint " + (folder_ / "run.ckpt"), 11);
}

TEST_F(Faults, MemoryRefusedAtEveryLargeBlock) {
    simulate("--matrix 128 128 --interleaves 8");
    expect_survived("memory", "", {0, 4});
}

/// Of whatever size, in parallel regions too, which no exception leaves.
TEST_F(Faults, MemoryRefusedToEveryHelper) { expect_survived("helper", "", {0, 4}, "--threads 4", 3); }

/// As a limit of processes does: the same image with fewer threads, whatever their number.
TEST_F(Faults, ThreadsRefused) {
    for (int limit = 0; limit < 7; ++limit) {
        const auto exit_code = exit_code_with("threads:" + std::to_string(limit), "--threads 4");
        EXPECT_EQ(exit_code.value_or(0), 0) << limit;
        EXPECT_TRUE(exit_code || limit > 3) << limit;
    }
}

/// In the walk through the file and after it (data/files/hdf5_there.hpp); the last reading is no part of the walk.
TEST_F(Faults, ACrashOfHdf5WhateverItReads) {
    const int readings = expect_survived("hdf5", "", {3}) - 1;
    EXPECT_EQ(exit_code_with("circle:" + std::to_string(readings), ""), 3);
}

/// The one that reads the scan (data/files/reading_process).
TEST_F(Faults, AProcessRefused) { EXPECT_EQ(exit_code_with("process:1", ""), 0); }

TEST_F(Faults, ASmallStackIsEnough) {
    const std::string command = "sh -c 'ulimit -s 128; " + std::string(test::program_path()) + " --scan " + scan_ +
                                options_ + "--out " + (folder_ / "image.h5") + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
}

TEST_F(Faults, TheRecordMayGoIntoAPipe) {
    const auto run =
        test::run_recon("--scan " + scan_ + options_ + "--out " + (folder_ / "image.h5") + " --json /dev/stdout | cat");
    EXPECT_NE(run.output.find("\"data_residual\""), std::string::npos) << run.output;
}

TEST_F(Faults, TheRecordMayGoToStdoutAndNothingElseThen) {
    const std::string words = "--scan " + scan_ + options_ + "--json - --out ";
    const auto run = test::run_recon(words + (folder_ / "image.h5") + " | cat");
    EXPECT_NE(run.output.find("\"data_residual\""), std::string::npos) << run.output;
    const auto both = test::run_recon(words + "-");
    EXPECT_EQ(both.exit_code, 2);
    EXPECT_NE(both.output.find("are one file"), std::string::npos) << both.output;
}

TEST_F(Faults, ALimitOfFileSizesIsAnErrorAndNoEnd) {
    const std::string log = folder_ / "log";
    for (const int kilobytes : {1, 10, 40}) {
        const std::string image = folder_ / "limited.h5";
        const int status = std::system(fmt::format("sh -c 'ulimit -f {}; {} --scan {} {} --out {} 2> {}'",
                                                   2 * kilobytes, test::program_path(), scan_, options_, image, log)
                                           .c_str());
        ASSERT_TRUE(WIFEXITED(status)) << kilobytes;
        EXPECT_TRUE(WEXITSTATUS(status) == 3 || WEXITSTATUS(status) == 4) << WEXITSTATUS(status);
        EXPECT_EQ(test::contents_of(log).find("damaged"), std::string::npos) << test::contents_of(log);
        EXPECT_FALSE(std::filesystem::exists(image));
    }
}

TEST_F(Faults, AFileBehindStandardOutputIsNotReplaced) {
    const std::string all = folder_ / "all.txt";
    const std::string command = "sh -c '(echo first; " + std::string(test::program_path()) + " --scan " + scan_ +
                                options_ + "--out " + (folder_ / "image.h5") + " --json /dev/stdout) > " + all + "'";
    EXPECT_EQ(std::system(command.c_str()), 0);
    EXPECT_TRUE(test::contents_of(all).starts_with("first\n")) << test::contents_of(all).substr(0, 100);
    EXPECT_NE(test::contents_of(all).find("\"data_residual\""), std::string::npos);
}

}  // namespace
}  // namespace recon
