// Signals: every stage ends soon, with the exit code of the signal, and leaves the output alone.
#include <gtest/gtest.h>
#include <signal.h>

#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <thread>

#include "tests/support/program.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

using Clock = std::chrono::steady_clock;
using test::RunningProgram;

std::string contents(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return (std::ostringstream() << file.rdbuf()).str();
}

class Cancel : public ::testing::Test {
protected:
    /// Work for a second or more in the stages that are looked at.
    static void SetUpTestSuite() {
        folder_ = std::make_unique<test::TemporaryFolder>();
        const auto run = test::run_recon("simulate --matrix 32 --trajectory radial --coils 16 --frames 2 --out " +
                                         (*folder_ / "scan.h5"));
        ASSERT_EQ(run.exit_code, 0) << run.output;
        std::ofstream(*folder_ / "image.h5") << "the image of before";
    }
    static void TearDownTestSuite() { folder_.reset(); }

    static std::string arguments(const std::string& options) {
        return "--scan " + (*folder_ / "scan.h5") + " --out " + (*folder_ / "image.h5") + " --device cpu --no-cache " +
               options;
    }

    /// Sends the signal once the log says `text`.
    static void expect_stop(const std::string& options, const std::string& text, int signal, int exit_code) {
        RunningProgram program(arguments(options), *folder_ / "log");
        ASSERT_TRUE(program.has_said(text)) << program.output();
        std::this_thread::sleep_for(std::chrono::milliseconds(100));  // into the stage that begins with that line
        const auto sent = Clock::now();
        program.send(signal);
        EXPECT_EQ(program.wait(), exit_code) << text << "\n" << program.output();
        EXPECT_LT(Clock::now() - sent, std::chrono::seconds(2)) << text;  // one, and another for a busy machine
        const std::string output = program.output();
        EXPECT_NE(output.find("recon: stopped by "), std::string::npos) << output;
        EXPECT_EQ(output.find("recon: error"), std::string::npos) << output;
        EXPECT_EQ(contents(*folder_ / "image.h5"), "the image of before") << text;
    }

    static std::unique_ptr<test::TemporaryFolder> folder_;
};

std::unique_ptr<test::TemporaryFolder> Cancel::folder_;

const std::string exact = "--sums exact --precision double ";

TEST_F(Cancel, InQ) { expect_stop(exact + "--prior none --iterations 1", "Q: ", SIGINT, 130); }

TEST_F(Cancel, InTheAdjoint) { expect_stop(exact + "--prior none --iterations 1", "Q: [", SIGINT, 130); }

TEST_F(Cancel, InTheSolver) {
    expect_stop("--prior none --iterations 100000 --stop 0", "cg: iteration 2 ", SIGINT, 130);
}

TEST_F(Cancel, BySigterm) {
    expect_stop("--prior none --iterations 100000 --stop 0", "cg: iteration 2 ", SIGTERM, 143);
}

TEST_F(Cancel, InTheChoiceOfLambda) {
    expect_stop("--iterations 100000 --stop 0 --lambda auto", "noise: sigma", SIGINT, 130);
}

TEST_F(Cancel, InADMM) {
    expect_stop("--prior tv --lambda 0.01 --iterations 100000 --stop 0", "admm: iteration 2 ", SIGINT, 130);
}

TEST_F(Cancel, InTheWavesOfTheHeart) {
    RunningProgram program("heart --device cpu --size 500 --time 1e6 --every 1 --out " + (*folder_ / "image.h5"),
                           *folder_ / "log");
    ASSERT_TRUE(program.has_said("heart: 500 x 500 cells")) << program.output();
    std::this_thread::sleep_for(std::chrono::milliseconds(100));
    program.send(SIGINT);
    EXPECT_EQ(program.wait(), 130) << program.output();
    EXPECT_NE(program.output().find("image.h5 is as it was before"), std::string::npos) << program.output();
    EXPECT_EQ(contents(*folder_ / "image.h5"), "the image of before");
}

TEST_F(Cancel, APartialImageIsKeptOnRequest) {
    const std::string kept = *folder_ / "kept.h5";
    RunningProgram program("--scan " + (*folder_ / "scan.h5") +
                               " --device cpu --no-cache --prior none --iterations 100000 --stop 0 --out " + kept +
                               " --json " + (*folder_ / "kept.json") + " --keep-partial",
                           *folder_ / "log");
    ASSERT_TRUE(program.has_said("cg: iteration 2 ")) << program.output();
    program.send(SIGINT);
    EXPECT_EQ(program.wait(), 130) << program.output();
    const auto record = test::read_json(*folder_ / "kept.json");
    EXPECT_EQ(record["stopped_by"], "observer");
    EXPECT_EQ(record["frames"][1]["stopped_by"], "observer");
    EXPECT_EQ(test::run_recon("info " + kept).exit_code, 0);
}

/// With the default prior, whose image is one of many solutions.
TEST_F(Cancel, APartialImageOfTheDefaultPriorIsKept) {
    const std::string scan = *folder_ / "flat.h5", kept = *folder_ / "default.h5";
    ASSERT_EQ(test::run_recon("simulate --matrix 96 96 --trajectory radial --coils 4 --out " + scan).exit_code, 0);
    RunningProgram program("--scan " + scan +
                               " --device cpu --no-cache --no-check --iterations 100000 --stop 0 --out " + kept +
                               " --json " + (*folder_ / "default.json") + " --keep-partial",
                           *folder_ / "log");
    ASSERT_TRUE(program.has_said("spectrum prior: iteration 2 ")) << program.output();
    program.send(SIGINT);
    EXPECT_EQ(program.wait(), 130) << program.output();
    EXPECT_NE(program.output().find("holds the image as it was then"), std::string::npos) << program.output();
    EXPECT_EQ(test::read_json(*folder_ / "default.json")["stopped_by"], "observer");
    EXPECT_EQ(test::run_recon("info " + kept).exit_code, 0);
}

TEST_F(Cancel, ASecondSignalEndsAtOnce) {
    RunningProgram program(arguments("--prior none --iterations 100000 --stop 0 --keep-partial"), *folder_ / "log");
    ASSERT_TRUE(program.has_said("cg: iteration 2 ")) << program.output();
    program.send(SIGTERM);
    program.send(SIGINT);
    const auto sent = Clock::now();
    const int code = program.wait();  // which of them comes first is the system's choice
    EXPECT_TRUE(code == 143 || code == 130 || code == -SIGINT || code == -SIGTERM) << code;
    EXPECT_LT(Clock::now() - sent, std::chrono::seconds(2));
}

}  // namespace
}  // namespace recon
