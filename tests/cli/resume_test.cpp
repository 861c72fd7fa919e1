// Checkpoints in the program: ended by signals, taken up, refused.
#include <gtest/gtest.h>
#include <signal.h>

#include <filesystem>
#include <fstream>

#include "data/reading/placed_image_reader.hpp"
#include "tests/support/program.hpp"
#include "tests/support/running_program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class Resume : public ::testing::Test {
protected:
    void SetUp() override {
        const auto run = test::run_recon("simulate --matrix 48 48 --trajectory radial --coils 4 --out " + scan_);
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    /// Long enough to be stopped in the middle.
    std::string command(const std::string& out, const std::string& more = "") const {
        return "--scan " + scan_ + " --out " + (folder_ / out) +
               " --prior tv --lambda 1e-3 --iterations 150 --stop 0 --checkpoint " + checkpoint_ + " " + more;
    }
    std::vector<cfloat> image(const std::string& name) const { return read_placed_image(folder_ / name).image.voxels; }
    /// Ends a run by a signal in the middle of its iterations.
    int stopped(int signal, const std::string& more) const {
        test::RunningProgram program(command("image.h5", more), folder_ / "log");
        EXPECT_TRUE(program.has_said("iteration 20 ")) << program.output();
        program.send(signal);
        return program.wait();
    }

    test::TemporaryFolder folder_;
    std::string scan_ = folder_ / "scan.h5";
    std::string checkpoint_ = folder_ / "run.ckpt";
};

TEST_F(Resume, TheSameCommandGoesOnAfterSignals) {
    ASSERT_EQ(test::run_recon(command("whole.h5")).exit_code, 0);
    EXPECT_FALSE(std::filesystem::exists(checkpoint_)) << "it is removed at the end";

    EXPECT_EQ(stopped(SIGTERM, "--resume"), 143);
    EXPECT_TRUE(std::filesystem::exists(checkpoint_));
    EXPECT_FALSE(std::filesystem::exists(folder_ / "image.h5"));
    test::RunningProgram killed(command("image.h5", "--resume --every 0"), folder_ / "log");
    EXPECT_TRUE(killed.has_said("iteration 100 ")) << killed.output();
    EXPECT_EQ(killed.output().find("iteration 10 "), std::string::npos) << "it went on from where it was";
    killed.send(SIGKILL);
    EXPECT_EQ(killed.wait(), -SIGKILL);

    const auto last = test::run_recon(command("image.h5", "--resume"));
    EXPECT_EQ(last.exit_code, 0) << last.output;
    EXPECT_NE(last.output.find("is taken up"), std::string::npos) << last.output;
    EXPECT_EQ(last.output.find("iteration 50 "), std::string::npos) << last.output;
    EXPECT_EQ(image("image.h5"), image("whole.h5"));
    EXPECT_FALSE(std::filesystem::exists(checkpoint_));
    for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
        EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << entry.path();
    }
}

TEST_F(Resume, WithoutACheckpointYetItStartsFromTheBeginning) {
    const auto run = test::run_recon(command("image.h5", "--resume"));
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_NE(run.output.find("there is no " + checkpoint_ + " yet: from the beginning"), std::string::npos)
        << run.output;
}

/// The name of a map in the scan is no file whose contents could change.
TEST_F(Resume, AFieldMapOfTheScanMayBeNamed) {
    const auto made = test::run_recon("simulate --matrix 24 24 --trajectory spiral --off-resonance 50 --out " + scan_);
    ASSERT_EQ(made.exit_code, 0) << made.output;
    const auto run = test::run_recon("--scan " + scan_ + " --out " + (folder_ / "image.h5") +
                                     " --field-map off_resonance_hz --checkpoint " + checkpoint_);
    EXPECT_EQ(run.exit_code, 0) << run.output;
}

TEST_F(Resume, AnotherRunIsRefused) {
    ASSERT_EQ(stopped(SIGINT, ""), 130);
    const auto refused = [&](const std::string& more, const std::string& why) {
        const auto run = test::run_recon(command("image.h5", "--resume " + more));
        EXPECT_EQ(run.exit_code, 3) << run.output;
        EXPECT_NE(run.output.find(why), std::string::npos) << run.output;
    };
    refused("--tol 1e-5", "--tol was");
    refused("--coil-maps walsh", "--coil-maps was");
    const std::string kept = checkpoint_ + ".kept";
    std::filesystem::copy_file(checkpoint_, kept);
    std::filesystem::resize_file(checkpoint_, std::filesystem::file_size(checkpoint_) / 2);
    refused("", "damaged");
    std::filesystem::copy_file(kept, checkpoint_, std::filesystem::copy_options::overwrite_existing);
    ASSERT_EQ(
        test::run_recon("simulate --seed 2 --matrix 48 48 --trajectory radial --coils 4 --out " + scan_).exit_code, 0);
    refused("", "what is in --scan has changed");
    EXPECT_FALSE(std::filesystem::exists(folder_ / "image.h5"));
}

TEST_F(Resume, OptionsThatCannotBeMeantAreRefused) {
    const std::string scan = "--scan " + scan_ + " --out " + (folder_ / "image.h5");
    EXPECT_EQ(test::run_recon(scan + " --resume").exit_code, 2);
    EXPECT_EQ(test::run_recon(scan + " --checkpoint " + scan_).exit_code, 2) << "the scan itself";
    for (const std::string every : {"-1", "nan", "inf", "5d", "1e300h", "s"}) {
        const auto run = test::run_recon(scan + " --checkpoint " + checkpoint_ + " --every " + every);
        EXPECT_EQ(run.exit_code, 2) << every << run.output;
        EXPECT_NE(run.output.find("--every"), std::string::npos) << run.output;
    }
    std::ofstream(checkpoint_) << "notes";
    EXPECT_EQ(test::run_recon(scan + " --checkpoint " + checkpoint_).exit_code, 3);
    EXPECT_EQ(std::filesystem::file_size(checkpoint_), 5U);
}

}  // namespace
}  // namespace recon
