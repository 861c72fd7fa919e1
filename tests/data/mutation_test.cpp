#include <fcntl.h>
#include <gtest/gtest.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <random>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "data/describe_file.hpp"
#include "data/formats/mrd/mrd_writer.hpp"
#include "data/formats/recon_h5/recon_hdf5_writer.hpp"
#include "data/reading/scan_reader.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/impatient_set.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

/// Damages a good file in many ways, always the same ones; each time it must be read or refused, and nothing else.
class MutationTest : public ::testing::Test {
protected:
    void TearDown() override {
        EXPECT_GT(refused_, 0) << "no damage was noticed";
        EXPECT_GT(read_, 0) << "all damage was fatal";
    }

    /// One to four changed bytes, now and then a cut.
    std::string damaged(const std::string& good) {
        std::string bad = good;
        std::uniform_int_distribution<std::size_t> place(0, good.size() - 1);
        std::uniform_int_distribution<int> choice(0, 255);
        const int changes = 1 + choice(random_) % 4;
        for (int i = 0; i < changes; ++i) {
            const int kind = choice(random_);
            const char value = kind < 64 ? '\0' : kind < 128 ? '\xff' : static_cast<char>(choice(random_));
            bad[place(random_)] = value;
        }
        if (choice(random_) < 16) {
            bad.resize(place(random_));
        }
        return bad;
    }

    /// Address space of this process: the program's own libraries alone can take a gigabyte.
    static rlim_t mapped_bytes() {
        rlim_t pages = 0;
        std::ifstream("/proc/self/statm") >> pages;
        return pages * static_cast<rlim_t>(sysconf(_SC_PAGESIZE));
    }

    enum Outcome { read = 0, failed = 1, refused = 2 };

    /// Reads in a process of its own, so that a crash is seen; returns its status as waitpid gives it.
    static int read_in_child(const std::string& path) {
        const pid_t child = fork();
        if (child == 0) {
            const int silent = open("/dev/null", O_WRONLY);
            dup2(silent, STDERR_FILENO);
            // HDF5 asks for as much memory as a damaged length says: up to 4 GB for one text, slow but harmless.
            constexpr rlim_t memory_bytes = rlim_t{1} << 30;
            const rlim_t bytes = mapped_bytes() + memory_bytes;
            const rlimit limit{bytes, bytes};
            setrlimit(RLIMIT_AS, &limit);
            constexpr unsigned patience_s = 20;
            alarm(patience_s);
            int code = read;
            try {
                describe_file(path);
                read_scan(path);
            } catch (const Error& error) {
                code = error.kind() == ErrorKind::input || error.kind() == ErrorKind::device ? refused : failed;
            } catch (...) {
                code = failed;
            }
            _exit(code);
        }
        int status = -1;
        waitpid(child, &status, 0);
        return status;
    }

    /// @param scan_path  what to read after `file` was damaged
    void expect_survival(const std::string& file, const std::string& scan_path, int rounds) {
        const std::string good = test::contents_of(file);
        ASSERT_NO_THROW(read_scan(scan_path));
        for (int round = 0; round < rounds; ++round) {
            test::write_bytes(file, damaged(good));
            const int status = read_in_child(scan_path);
            ASSERT_TRUE(WIFEXITED(status)) << "killed by signal " << WTERMSIG(status) << " in round " << round;
            const int code = WEXITSTATUS(status);
            EXPECT_TRUE(code == read || code == refused) << "exit code " << code << " in round " << round;
            refused_ += code != 0 ? 1 : 0;
            read_ += code == 0 ? 1 : 0;
        }
        test::write_bytes(file, good);
    }

    test::TemporaryFolder folder;

private:
    std::mt19937 random_{7};
    int refused_ = 0;
    int read_ = 0;
};

TEST_F(MutationTest, ReconHdf5) {
    write_scan(test::sample_scan({{4, 3, 2}, 2, 3, 4, 2}), folder / "scan.h5");
    expect_survival(folder / "scan.h5", folder / "scan.h5", 100);
}

TEST_F(MutationTest, Mrd) {
    write_mrd(test::sample_scan({{4, 3, 2}, 2, 3, 4, 2}), folder / "scan.h5");
    expect_survival(folder / "scan.h5", folder / "scan.h5", 100);
}

TEST_F(MutationTest, Impatient) {
    for (const test::ImpatientHeader header : {test::ImpatientHeader::binary, test::ImpatientHeader::text}) {
        const std::vector<std::pair<std::string, std::vector<float>>> files{
            {"ix", {-0.5F, 0, -0.5F, 0}}, {"iy", {-0.5F, -0.5F, 0, 0}}, {"iz", {0, 0, 0, 0}},
            {"kx", {-1, 0.5F, 1}},        {"ky", {0.5F, 1, -1}},        {"kz", {0, 0, 0}},
            {"kdata_r", {1, 2, 3}},       {"kdata_i", {4, 5, 6}}};
        for (const auto& [name, values] : files) {
            test::write_bytes(folder / (name + ".dat"), test::impatient_bytes(values, header));
        }
        for (const auto& [name, values] : files) {
            expect_survival(folder / (name + ".dat"), folder.path(), 6);
        }
    }
}

}  // namespace
}  // namespace recon
