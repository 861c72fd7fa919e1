// A signal in every stage, by its name: sent from within the program (support/faults) as the log says that the stage
// has begun, so that none is too short to be met.
#include <fmt/format.h>
#include <gtest/gtest.h>

#include <chrono>
#include <csignal>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "app/pipeline/stage.hpp"
#include "tests/support/faults/preloading.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

/// Options with which a run enters the stage.
std::string options_that_enter(Stage stage) {
    switch (stage) {
        case Stage::start: return "--prior none --preconditioner circulant";
        case Stage::lambda: return "--prior roughness --lambda auto";
        case Stage::density: return "--prior none --weights density";
        case Stage::baseline: return "--prior none --baseline";
        default: return "--prior none";
    }
}

class SignalInStage : public ::testing::TestWithParam<std::tuple<Stage, int>> {
protected:
    static void SetUpTestSuite() {
        folder_ = std::make_unique<test::TemporaryFolder>();
        const auto run = test::run_recon(
            "simulate --matrix 24 --trajectory radial --coils 6 --no-coil-maps --noise-samples 64 --snr 30 --out " +
            (*folder_ / "scan.h5"));
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    static void TearDownTestSuite() { folder_.reset(); }

    void SetUp() override {
        if (test::is_sanitized) {
            GTEST_SKIP() << test::why_not_sanitized;
        }
        std::ofstream(image_) << before;
        fs::remove(when_);
    }
    std::string contents(const std::string& path) const {
        std::ifstream file(path, std::ios::binary);
        return (std::ostringstream() << file.rdbuf()).str();
    }

    static constexpr const char* before = "the image of before";
    static std::unique_ptr<test::TemporaryFolder> folder_;
    const std::string image_ = *folder_ / "image.h5", when_ = *folder_ / "when";
};

std::unique_ptr<test::TemporaryFolder> SignalInStage::folder_;

TEST_P(SignalInStage, EndsTheRunSoonAndLeavesTheOldImage) {
    const auto [stage, signal] = GetParam();
    const auto run = test::run_recon("--scan " + (*folder_ / "scan.h5") + " --out " + image_ +
                                         " --device cpu --no-cache --verbose " + options_that_enter(stage),
                                     fmt::format("LD_PRELOAD={} RECON_FAULT_LOG={} RECON_SIGNAL='{}:stage {}\n'",
                                                 test::fault_library_path(), when_, signal, name_of(stage)));
    const auto ended = Clock::now();
    ASSERT_TRUE(fs::exists(when_)) << "was not entered\n" << run.output;
    const Clock::time_point sent{std::chrono::nanoseconds(std::stoll(contents(when_)))};
    EXPECT_LT(ended - sent, std::chrono::seconds(2)) << run.output;
    if (stage == Stage::write && run.exit_code == 0) {  // came too late: the image is written all the same
        EXPECT_NE(contents(image_), before);
    } else {
        EXPECT_EQ(run.exit_code, 128 + signal) << run.output;
        EXPECT_NE(run.output.find("recon: stopped by "), std::string::npos) << run.output;
        EXPECT_EQ(contents(image_), before);
    }
    EXPECT_EQ(run.output.find("recon: error"), std::string::npos) << run.output;
    for (const auto& entry : fs::directory_iterator(folder_->path())) {
        EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << entry.path();
    }
}

INSTANTIATE_TEST_SUITE_P(, SignalInStage,
                         ::testing::Combine(::testing::ValuesIn(all_stages), ::testing::Values(SIGINT, SIGTERM)),
                         [](const auto& of) {
                             return fmt::format("{}_{}", name_of(std::get<0>(of.param)),
                                                std::get<1>(of.param) == SIGINT ? "SIGINT" : "SIGTERM");
                         });

}  // namespace
}  // namespace recon
