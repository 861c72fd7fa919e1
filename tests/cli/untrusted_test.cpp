// Files that nobody vouches for, in the place of every file that a command reads: refused soon, with one line.
#include <gtest/gtest.h>
#include <hdf5.h>
#include <sys/stat.h>

#include <fstream>

#include "data/files/hdf5_file.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

class Untrusted : public ::testing::Test {
protected:
    static void SetUpTestSuite() {
        folder_ = std::make_unique<test::TemporaryFolder>();
        const auto run = test::run_recon("simulate --matrix 16 16 --coils 2 --out " + scan() + " --truth " +
                                         (*folder_ / "truth.h5"));
        ASSERT_EQ(run.exit_code, 0) << run.output;
    }
    static void TearDownTestSuite() { folder_.reset(); }

    static std::string scan() { return *folder_ / "scan.h5"; }
    static std::string out() { return *folder_ / "image.h5"; }

    /// Every way to hand a file to a command; what is refused goes where FILE stands.
    static std::vector<std::string> commands() {
        const std::string run = "--out " + out() + " --device cpu --quiet ";
        std::vector<std::string> all{"--scan FILE " + run,
                                     "FILE",
                                     "info FILE",
                                     "check FILE",
                                     "compare FILE " + (*folder_ / "truth.h5"),
                                     "compare " + (*folder_ / "truth.h5") + " FILE",
                                     "report FILE",
                                     "q FILE --out " + out(),
                                     "simulate --from FILE --out " + out(),
                                     "simulate --phantom heart --heart FILE --out " + out()};
        for (const char* option : {"--trajectory", "--coil-maps", "--body-coil", "--reference", "--field-map",
                                   "--r2star-map", "--mask", "--noise-covariance",
                                   "--prior anatomical --lambda 1 "
                                   "--prior-image"}) {
            all.push_back("--scan " + scan() + " " + option + " FILE " + run);
        }
        all.push_back("--scan " + scan() + " --checkpoint FILE --resume " + run);
        return all;
    }

    static void expect_refused_everywhere(const std::string& file, const std::string& reason) {
        for (std::string command : commands()) {
            command.replace(command.find("FILE"), 4, file);
            const auto run = test::run_recon(command, "timeout 30 env");
            EXPECT_EQ(run.exit_code, 3) << command << "\n" << run.output;
            EXPECT_NE(run.output.find(reason), std::string::npos) << command << "\n" << run.output;
            const std::size_t error = run.output.find("recon: error: ");
            ASSERT_NE(error, std::string::npos) << command << "\n" << run.output;
            EXPECT_EQ(run.output.find('\n', error), run.output.size() - 1) << "more than a line: " << run.output;
        }
    }

    static std::unique_ptr<test::TemporaryFolder> folder_;
};

std::unique_ptr<test::TemporaryFolder> Untrusted::folder_;

TEST_F(Untrusted, PipesAreNotWaitedFor) {
    const std::string pipe = *folder_ / "pipe";
    ASSERT_EQ(mkfifo(pipe.c_str(), 0600), 0);
    expect_refused_everywhere(pipe, "a named pipe");
}

TEST_F(Untrusted, DevicesAreNotRead) { expect_refused_everywhere("/dev/zero", "a device"); }

/// Two groups in each other, in a file that has all else a reader may look for.
TEST_F(Untrusted, CirclesAreNotFollowed) {
    const std::string path = *folder_ / "circle.h5";
    {
        H5File file = H5File::create(path);
        file.create_group("/a/b");
        H5Lcreate_hard(file.id(), "/a", file.id(), "/a/b/c", H5P_DEFAULT, H5P_DEFAULT);
        file.close();
    }
    for (std::string command : commands()) {
        if (command.starts_with("q ") || command.find("--checkpoint") != std::string::npos) {
            continue;  // no HDF5 there
        }
        command.replace(command.find("FILE"), 4, path);
        const auto run = test::run_recon(command, "timeout 30 env");
        EXPECT_EQ(run.exit_code, 3) << command << "\n" << run.output;
        EXPECT_NE(run.output.find("in a circle"), std::string::npos) << command << "\n" << run.output;
    }
}

}  // namespace
}  // namespace recon
