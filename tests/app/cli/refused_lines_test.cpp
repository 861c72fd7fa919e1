// What is told to those who type what cannot be meant, or give a file of another kind: one line, with the exit code of
// the guide.
#include <gmock/gmock.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>

#include "tests/support/program.hpp"

namespace recon {
namespace {

using ::testing::HasSubstr;

class RefusedLines : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = std::make_unique<test::TemporaryFolder>();
        ASSERT_EQ(test::run_recon("simulate --quiet --matrix 16 16 --coils 2 --out " + file("scan.h5") + " --truth " +
                                  file("truth.h5"))
                      .exit_code,
                  0);
        ASSERT_EQ(test::run_recon("simulate --quiet --matrix 16 16 --coils 2 --out " + file("pair.cfl")).exit_code, 0);
        std::filesystem::remove(file("pair.hdr"));
        for (const char* name : {"empty.h5", "empty.nii", "empty.txt", "empty.bin"}) {
            std::ofstream(file(name)) << "";
        }
        std::ofstream(file("record.json")) << "{\n\"backend\": \"cpu\"\n}\n";
    }
    static void TearDownTestSuite() { folder_.reset(); }
    static std::string file(const std::string& name) { return *folder_ / name; }
    static std::string scan() { return file("scan.h5") + " --device cpu --quiet "; }

    static void expect(const std::string& arguments, int exit_code, const std::string& words) {
        const test::ProgramRun run = test::run_recon(arguments);
        EXPECT_EQ(run.exit_code, exit_code) << arguments;
        EXPECT_EQ(std::count(run.output.begin(), run.output.end(), '\n'), 1) << run.output;
        EXPECT_THAT(run.output, HasSubstr("recon: error: "));
        EXPECT_THAT(run.output, HasSubstr(words)) << arguments;
    }
    static std::unique_ptr<test::TemporaryFolder> folder_;
};
std::unique_ptr<test::TemporaryFolder> RefusedLines::folder_;

TEST_F(RefusedLines, OfOptions) {
    expect(scan() + "-o x.h5", 2, "not expected: -o; did you mean --out or");
    expect("-o x.h5 " + file("scan.h5"), 2, "not expected: -o; did you mean --out or");
    expect(scan() + "--outt=x.h5", 2, "not expected: --outt; did you mean --out? (recon --help");
    expect("simulate --out x.h5 --prior tv", 2, "not expected: --prior; it is an option of recon (recon simulate");
    expect("check " + file("scan.h5") + " --out x", 2, "it is an option of recon, recon simulate, recon merge, ...");
    expect(scan() + "--coils 2 --coil-energy 0.9", 2, "--coils and --coil-energy exclude each other; give one");
}

TEST_F(RefusedLines, OfValues) {
    expect(scan() + "--iterations", 2, "--iterations: a value is missing behind it");
    expect(scan() + "--device cpu", 2, "--device: given 2 values, expected one");
    expect(scan() + "--matrix 8 8 8 8", 2, "--matrix: given 4 values, expected at most 3");
    expect(file("scan.h5") + " --out --quiet", 2, "--out: a value is missing behind it, before --quiet");
    expect("simulate --out x.h5 --truth --quiet", 2, "--truth: a value is missing behind it, before --quiet");
    EXPECT_FALSE(std::filesystem::exists("--quiet"));
    expect(scan() + "--lambda --iterations 5", 2, "--lambda: a value is missing behind it, before --iterations");
    expect(scan() + "--matrix 1e2", 2, "--matrix 1e2: expected digits alone");
    expect(scan() + "--iterations 5s", 2, "--iterations 5s: expected a whole number from 0 to 100000 (");
    expect(scan() + "--matrix 16,16", 2, "; axes are written as 64 48 or 64x48");
    for (const std::string half : {"16x", "x16", "16xx16", "16x16x", "x", "\"16 x\""}) {
        expect(scan() + "--matrix " + half, 2, ": expected a number on both sides of each x, such as 64x48");
        expect("simulate --out x.h5 --fov=" + half, 2, ": expected a number on both sides of each x");
    }
    expect("simulate --out x.h5 --phantom sodum", 2, "--phantom sodum: expected brain, heart, shepp-logan, sodium or ");
    expect("simulate --out x.h5 --phantom sodum", 2, "; did you mean sodium?");
    expect(file("scan.h5") + " --quiet --device gpu", 2, "--device gpu: expected auto, cpu");
    expect("bench --compare " + file("none.json"), 3, "none.json: no such file");
}

TEST_F(RefusedLines, OfPriors) {
    expect(scan() + "--prior tv", 2, "--prior tv: --lambda is missing, a weight for tv, such as 1e-2, or auto");
    expect(scan() + "--lambda 1e-3,2", 2,
           "--lambda 1e-3,2: found 2 numbers, expected 1, for identity, the prior where");
    expect(scan() + "--prior TV --lambda 1", 2, "unknown prior 'TV'; did you mean 'tv'?");
}

TEST_F(RefusedLines, OfCommands) {
    expect("study", 2, "recon study: expected one of its commands: stone2008, trio, sodium");
    expect("study tro", 2, "recon study: unknown command 'tro'; did you mean 'trio'?");
    expect("merge", 2, "missing: images; usage: recon merge images ... --out TEXT [OPTIONS]");
    expect("info a b", 2, "recon info takes one file, and these are 2: a, b");
    expect("-", 2, "give --scan - --out FILE");
    expect(file("scan.h5") + " " + file("b.h5"), 2, "recon takes one file, and these are 2: ");
}

TEST_F(RefusedLines, OfTheFileOfOptions) {
    expect(scan() + "--config " + file("nofile"), 3, "nofile: no such file");
    expect(scan() + "--config " + folder_->path(), 3, "cannot be read; expected a file with lines such as");
    expect(scan() + "--config " + file("record.json"), 3, "is no file of options; expected lines such as");
    expect(scan() + "--config " + file("scan.h5"), 3, "is no file of options; expected lines such as");
}

TEST_F(RefusedLines, OfFilesOfOtherKinds) {
    expect(scan() + "--reference " + file("scan.h5"), 3, "scan.h5: holds a scan (k-space) and no image; expected");
    expect(file("pair.cfl"), 3, "pair.hdr is missing; a BART file is both");
    expect("info " + file("pair.cfl"), 3, "pair.hdr is missing; a BART file is both");
    for (const std::string& arguments :
         {file("empty.h5"), "info " + file("empty.txt"), scan() + "--mask " + file("empty.nii"),
          scan() + "--trajectory " + file("empty.txt"), "merge --out x.h5 " + file("empty.h5"),
          "q " + file("empty.bin")}) {
        expect(arguments, 3, "is empty (0 bytes)");
    }
    expect("q " + file("scan.h5"), 3, "or it is no file of Parboil's layout");
    expect(scan() + "--reference " + file("truth.h5") + ":/frames", 3, "no dataset /frames; name one of");
    EXPECT_EQ(test::run_recon(scan() + "--reference " + file("truth.h5") + ":/image").exit_code, 0);
    expect(scan() + "--out /dev/full", 3, "creating the HDF5 file failed: No space left on device\n");
}

}  // namespace
}  // namespace recon
