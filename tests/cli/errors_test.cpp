// Bad input: one clear line, the documented exit code, and what was there before left alone.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "tests/support/file_contents.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class Errors : public ::testing::Test {
protected:
    void SetUp() override {
        const auto run = test::run_recon("simulate --matrix 16 16 --trajectory radial --coils 2 --out " + scan());
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    std::string scan() const { return (folder_ / "scan.h5"); }
    std::string out() const { return (folder_ / "image.h5"); }

    /// The program ends with `exit_code`, and the one line that says "error" holds all the words.
    static void expect_failure(const std::string& arguments, int exit_code, const std::vector<std::string>& words) {
        const auto run = test::run_recon(arguments);
        EXPECT_EQ(run.exit_code, exit_code) << arguments << "\n" << run.output;
        std::istringstream lines(run.output);
        std::vector<std::string> error_lines;
        for (std::string line; std::getline(lines, line);) {
            if (line.starts_with("recon: error: ")) {
                error_lines.push_back(line);
            }
        }
        ASSERT_EQ(error_lines.size(), 1U) << run.output;
        for (const std::string& word : words) {
            EXPECT_NE(error_lines[0].find(word), std::string::npos) << "'" << word << "' not in: " << error_lines[0];
        }
    }

    test::TemporaryFolder folder_;
};

TEST_F(Errors, WrongUsageIsCodeTwo) {
    expect_failure("", 2, {"--scan"});
    expect_failure("--no-such-option", 2, {"--no-such-option"});
    expect_failure("--prior none " + scan(), 2, {"--prior took " + scan(), "--scan"});
    expect_failure("--scan " + scan() + " --precision half", 2, {"--precision"});
    expect_failure("--scan " + scan() + " --iterations -3", 2, {"--iterations"});
    expect_failure("--scan " + scan() + " --out " + out() + " --select contrast=x", 2, {"--select"});
    expect_failure("--scan " + scan() + " --out " + out() + " --device toaster", 2, {"toaster", "cpu"});
    expect_failure("--scan " + scan() + " --out " + out() + " --device cuda:0,1,0", 2, {"cuda:0 twice"});
    expect_failure("simulate --trajectory zigzag --out " + out(), 2, {"--trajectory"});
}

TEST_F(Errors, WhatCannotBePrintedIsCodeThree) {
    for (const auto& command : std::vector<std::string>{"info " + scan(), "--help", "--version"}) {
        expect_failure(command + " 2>&1 > /dev/full #", 3, {"stdout: cannot be written"});
    }
}

TEST_F(Errors, NamesOfOtherFormatsAreUsage) {
    for (const std::string name : {"x.png", "x.MAT", "x.npz", "x.tiff"}) {
        expect_failure("--scan " + scan() + " --out " + (folder_ / name), 2, {name, ".h5", ".nii.gz", ".npy"});
        EXPECT_FALSE(std::filesystem::exists(folder_ / name));
    }
    expect_failure("--scan " + scan() + " --out " + out() + " --png " + (folder_ / "x.jpg"), 2, {"--png", ".png"});
    expect_failure("simulate --out " + (folder_ / "x.nii"), 2, {"--out", ".npz"});
}

TEST_F(Errors, EndingsCountInAnyCase) {
    const std::string run = "--scan " + scan() + " --iterations 1 --device cpu --out ";
    for (const std::string name : {"image.NPY", "image.nii.GZ", "image.hdr"}) {
        const auto made = test::run_recon(run + (folder_ / name));
        EXPECT_EQ(made.exit_code, 0) << made.output;
        const auto info = test::run_recon("info " + (folder_ / name));
        EXPECT_EQ(info.output.find("HDF5"), std::string::npos) << info.output;
        EXPECT_EQ(info.exit_code, 0) << info.output;
    }
    EXPECT_TRUE(std::filesystem::exists(folder_ / "image.cfl"));
}

TEST_F(Errors, PriorsThatCannotBeAreRefused) {
    const std::string run = "--scan " + scan() + " --out " + out();
    expect_failure(run + " --prior roughness --lambda -1", 2, {"--lambda -1", "not negative"});
    expect_failure(run + " --prior scan --lambda 1", 2, {"--lambda 1: --prior scan takes none"});
    expect_failure(run + " --prior scan,none", 2, {"--prior none", "by itself"});
    expect_failure(run + " --uncertainty many", 2, {"--uncertainty many", "samples=N"});
    expect_failure(run + " --prior identity,roughness --lambda 1", 2, {"--lambda 1: found 1 number, expected 2"});
    expect_failure(run + " --prior anatomical --lambda 1", 2, {"--prior anatomical", "--prior-image"});
    expect_failure(run + " --prior roughness --lambda 1 --prior-image " + scan(), 2, {"--prior-image", "anatomical"});
    const std::string anatomical = run + " --prior anatomical --lambda 1 --prior-image ";
    expect_failure(anatomical + folder_ / "missing.h5", 3, {"missing.h5"});
    expect_failure(anatomical + "x --prior-edge-scale 0", 2, {"--prior-edge-scale"});
    const std::string other = folder_ / "other.h5";
    ASSERT_EQ(test::run_recon("simulate --matrix 16 16 12 --phantom sodium --snr inf --fov 100 90 80 --coils 1 --out " +
                              folder_ / "sodium.h5" + " --reference-image " + other)
                  .exit_code,
              0);
    expect_failure(anatomical + other, 3, {"--prior-image", "other.h5", "reaches", "same object"});
    EXPECT_FALSE(std::ifstream(out()).good());
    expect_failure("simulate --matrix 16 16 --reference-image " + other + " --out " + out(), 2,
                   {"--reference-image", "--phantom sodium"});
}

TEST_F(Errors, FieldMapsThatCannotServeAreCodeThree) {
    const std::string run = "--device cpu --scan " + scan() + " --out " + out() + " ";
    expect_failure(run + "--field-map nowhere.nii", 3, {"scan.h5", "nowhere.nii", "no such file"});
    expect_failure(run + "--dwell 5", 2, {"--dwell", "--field-map"});
    expect_failure(run + "--field-map " + scan() + " --echo-time -1", 2, {"--echo-time"});
    expect_failure(run + "--field-map " + scan() + ":/none", 3, {"scan.h5", "/none"});
    const std::string small = folder_ / "small.h5";
    const auto simulated =
        test::run_recon("simulate --matrix 12 12 --off-resonance 50 --coils 1 --format mrd --out " + small);
    ASSERT_EQ(simulated.exit_code, 0) << simulated.output;
    expect_failure(run + "--field-map " + small + ":/dataset/fieldmap", 3,
                   {"small.h5", "12 x 12 x 1 voxels, size unknown", "16 x 16 x 1 voxels"});
}

TEST_F(Errors, TooLittleMemoryIsCodeFour) {
    const std::string run = "--device cpu --scan " + scan() + " --out " + out() + " --memory-limit ";
    expect_failure(run + "1M", 4, {"cpu", "needs at least", "1.0 MB is the --memory-limit", "--matrix"});
    expect_failure(run + "lots", 2, {"--memory-limit lots", "500M"});
    expect_failure(run + "-1G", 2, {"--memory-limit"});
    EXPECT_FALSE(std::ifstream(out()).good());
}

TEST_F(Errors, WrongFilesAreCodeThree) {
    expect_failure("--scan " + (folder_ / "none.h5") + " --out " + out(), 3, {"none.h5"});
    std::ofstream((folder_ / "text.h5")) << "this is no HDF5 file\n";
    expect_failure("--scan " + (folder_ / "text.h5") + " --out " + out(), 3, {"text.h5"});
    expect_failure("--scan " + scan() + " --out " + (folder_ / "no/such/folder/image.h5"), 3, {"no/such/folder"});
    expect_failure("--scan " + scan() + " --out " + out() + " --coil-maps " + scan() + " --matrix 20 20", 3, {"20"});
    expect_failure("--scan " + scan() + " --out " + out() + " --field-map fieldmap", 3, {"fieldmap"});
    expect_failure("--scan " + scan() + " --out " + out() + " --select slice=7", 3, {"slice"});
    expect_failure("info " + (folder_ / "text.h5"), 3, {"text.h5"});
    expect_failure("compare " + scan() + " " + (folder_ / "none.h5"), 3, {".h5"});
}

TEST_F(Errors, ToleranceOutOfReachIsUsage) {
    expect_failure("--scan " + scan() + " --out " + out() + " --sums nufft --tol 1e-13", 2, {"1.0e-13", "single"});
}

TEST_F(Errors, MissingDeviceIsCodeFour) {
    expect_failure("--scan " + scan() + " --out " + out() + " --device cuda:99", 4, {""});
    expect_failure("--scan " + scan() + " --out " + out() + " --device cuda:0,99", 4, {""});
}

TEST_F(Errors, FailureLeavesAnExistingImageAlone) {
    std::ofstream(out()) << "precious";
    expect_failure("--scan " + scan() + " --out " + out() + " --reference " + (folder_ / "none.h5"), 3, {"none.h5"});
    std::ifstream file(out());
    std::string content;
    std::getline(file, content);
    EXPECT_EQ(content, "precious");
}

TEST_F(Errors, OutputsThatWouldReplaceAnInputAreRefusedBeforeAnythingIsRead) {
    const std::string before = test::contents_of(scan());
    const std::string link = folder_ / "link.h5", truth = folder_ / "truth.h5";
    std::filesystem::create_symlink(scan(), link);
    expect_failure("--scan " + scan() + " --out " + scan(), 2, {"--out", "--scan"});
    expect_failure("--scan " + scan() + " --out " + link, 2, {"--out", "link.h5"});
    expect_failure("--scan " + scan() + " --out " + out() + " --json " + scan(), 2, {"--json"});
    expect_failure("--scan " + scan() + " --out " + out() + " --png " + out(), 2, {"--out", "--png"});
    expect_failure("--scan " + link + " --coil-maps " + scan() + " --nifti " + scan() + " --out " + out(), 2,
                   {"--nifti"});
    expect_failure("simulate --matrix 8 8 --out " + truth + " --truth " + truth, 2, {"--out", "--truth"});
    expect_failure("compare " + scan() + " " + truth + " --json " + scan(), 2, {"--json", "image"});
    expect_failure("check " + scan() + " --json " + scan(), 2, {"--json", "the command"});
    expect_failure("q " + scan() + " --out " + scan(), 2, {"--out", "the command"});
    expect_failure("simulate --phantom heart --heart " + scan() + " --out " + scan(), 2, {"--out", "--heart"});
    const std::string config = folder_ / "options.toml";
    std::ofstream(config) << "iterations = 5\n";
    expect_failure("--scan " + scan() + " --config " + config + " --out " + out() + " --json " + config, 2,
                   {"--config"});
    EXPECT_FALSE(std::filesystem::exists(out()));
    EXPECT_FALSE(std::filesystem::exists(truth));
    EXPECT_EQ(test::contents_of(scan()), before);
    EXPECT_EQ(test::contents_of(config), "iterations = 5\n");
}

TEST_F(Errors, PagesAndFiguresReplaceNoFilesOfAnotherKind) {
    const std::string before = test::contents_of(scan()), page = folder_ / "page.html";
    ASSERT_EQ(test::run_recon("--scan " + scan() + " --out " + out()).exit_code, 0);
    expect_failure("report " + out() + " --out " + scan(), 2, {"--out", "of another format", ".html"});
    std::filesystem::create_symlink(scan(), page);  // which the run has read
    expect_failure("report " + out() + " --out " + page, 2, {"--out", "the run's --scan"});
    expect_failure("check " + scan() + " --json " + out(), 2, {"--json", "of another format", ".json"});
    expect_failure("compare " + out() + " " + out() + " --json " + scan(), 2, {"--json", "of another format"});
    expect_failure("bench --json " + scan(), 2, {"--json", "of another format"});
    EXPECT_EQ(test::contents_of(scan()), before);
    std::filesystem::remove(page);
    EXPECT_EQ(test::run_recon("report " + out()).exit_code, 0);
}

TEST_F(Errors, HelpAndVersionSucceed) {
    EXPECT_EQ(test::run_recon("--help").exit_code, 0);
    EXPECT_EQ(test::run_recon("simulate --help").exit_code, 0);
    EXPECT_EQ(test::run_recon("--version").exit_code, 0);
}

}  // namespace
}  // namespace recon
