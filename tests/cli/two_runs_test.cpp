// Two runs at a time on one output, one cache, one checkpoint: each ends well, and what is left is whole.
#include <gtest/gtest.h>

#include <filesystem>

#include "data/reading/placed_image_reader.hpp"
#include "tests/support/program.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;

class TwoRuns : public ::testing::Test {
protected:
    void SetUp() override {
        const auto run = test::run_recon("simulate --matrix 24 --trajectory radial --coils 2 --out " + scan_);
        ASSERT_EQ(run.exit_code, 0) << run.output;
        const auto alone = test::run_recon(command("alone.h5", "--no-cache"));
        ASSERT_EQ(alone.exit_code, 0) << alone.output;
        alone_ = voxels("alone.h5");
    }

    std::string command(const std::string& out, const std::string& more) const {
        return "--scan " + scan_ + " --device cpu --threads 1 --prior none --iterations 30 --stop 0 --out " +
               (folder_ / out) + " " + more;
    }
    std::vector<cfloat> voxels(const std::string& name) const { return read_placed_image(folder_ / name).image.voxels; }
    /// @return the exit codes of the two
    std::pair<int, int> run_both(const std::string& first, const std::string& second) const {
        test::RunningProgram a(first, folder_ / "a.log"), b(second, folder_ / "b.log");
        const int code = a.wait();
        return {code, b.wait()};
    }
    void expect_no_litter() const {
        for (const auto& entry : fs::directory_iterator(folder_.path())) {
            EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << entry.path();
        }
    }

    test::TemporaryFolder folder_;
    std::string scan_ = folder_ / "scan.h5";
    std::vector<cfloat> alone_;
};

constexpr int rounds = 5;
const std::pair both_well{0, 0};

TEST_F(TwoRuns, OnOneOutputLeaveOneOfTheTwoWhole) {
    for (int i = 0; i < rounds; ++i) {
        EXPECT_EQ(run_both(command("image.h5", "--no-cache"), command("image.h5", "--no-cache")), both_well);
        EXPECT_EQ(voxels("image.h5"), alone_);
        expect_no_litter();
    }
}

TEST_F(TwoRuns, OnOneCacheBothHaveTheRightImage) {
    for (int i = 0; i < rounds; ++i) {
        const std::string cache = "--cache " + (folder_ / ("cache" + std::to_string(i)));
        EXPECT_EQ(run_both(command("a.h5", cache), command("b.h5", cache)), both_well);
        EXPECT_EQ(voxels("a.h5"), alone_);
        EXPECT_EQ(voxels("b.h5"), alone_);
    }
}

/// Each writes it after every iteration and removes it at its end, the other's too.
TEST_F(TwoRuns, OnOneCheckpointBothHaveTheRightImage) {
    const std::string checkpoint = "--no-cache --every 0 --resume --checkpoint " + (folder_ / "run.ckpt");
    for (int i = 0; i < rounds; ++i) {
        EXPECT_EQ(run_both(command("a.h5", checkpoint), command("b.h5", checkpoint)), both_well);
        EXPECT_EQ(voxels("a.h5"), alone_);
        EXPECT_EQ(voxels("b.h5"), alone_);
        expect_no_litter();
        std::error_code ignored;
        fs::remove(folder_ / "run.ckpt", ignored);  // of the one that was slower
    }
}

}  // namespace
}  // namespace recon
