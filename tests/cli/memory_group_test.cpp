// A control group that allows little memory: who takes more is killed by the kernel, so the program must know.
#include <fmt/format.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "core/base/available_memory.hpp"
#include "data/reading/format.hpp"
#include "tests/support/faults/preloading.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/program.hpp"
#include "tests/support/sample_scan.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;

bool write_to(const fs::path& file, const std::string& text) {
    std::ofstream stream(file);
    return stream && static_cast<bool>(stream << text << std::flush);
}

/// A group within one of this process', removed at the end. There is none where the system refuses it.
class NarrowGroup {
public:
    explicit NarrowGroup(std::size_t bytes) {
        const MemoryGroups groups;
        for (const fs::path& of_process : groups.folders()) {
            folder_ = of_process / ("recon-test-" + std::to_string(::getpid()));
            std::error_code error;
            if (!fs::create_directory(folder_, error)) {
                why_not_ += folder_.string() + " cannot be made: " + error.message() + "; ";
                continue;
            }
            if (write_to(folder_ / "memory.limit_in_bytes", std::to_string(bytes)) ||
                write_to(folder_ / "memory.max", std::to_string(bytes))) {
                exists_ = true;
                return;
            }
            ::rmdir(folder_.c_str());
            why_not_ += folder_.string() + " takes no limit of memory; ";
        }
    }
    ~NarrowGroup() {
        if (exists_) {
            ::rmdir(folder_.c_str());
        }
    }
    NarrowGroup(const NarrowGroup&) = delete;
    NarrowGroup& operator=(const NarrowGroup&) = delete;

    bool exists() const { return exists_; }
    std::string why_not() const { return why_not_.empty() ? "this system has no control groups of memory" : why_not_; }
    /// For a shell: what follows runs in the group.
    std::string enter() const { return "echo $$ > " + (folder_ / "cgroup.procs").string() + " && exec "; }

private:
    fs::path folder_;
    bool exists_ = false;
    std::string why_not_;
};

class MemoryGroup : public ::testing::TestWithParam<int> {};

/// 60 MB of k-space and maps, with grids of twice the matrix: more than there is, or just enough in pieces.
TEST_P(MemoryGroup, TooNarrowIsToldAndNotKilledFor) {
    if (test::is_sanitized) {
        GTEST_SKIP() << "the sanitizer takes more than the group allows";
    }
    const NarrowGroup group(static_cast<std::size_t>(GetParam()) * 1'000'000);
    if (!group.exists()) {
        GTEST_SKIP() << group.why_not();
    }
    const test::TemporaryFolder folder;
    const std::string scan = folder / "scan.h5", image = folder / "image.h5", log = folder / "log";
    Scan large = test::sample_scan({{64, 64, 48}, 16, 500, 500, 1});
    large.noise.clear();  // too little for so many coils
    formats().get("recon").write_scan(large, scan);
    std::ofstream(image) << "the image of before";
    const std::string command =
        fmt::format("sh -c '{}{} --scan {} --out {} --device cpu --no-cache --prior none --iterations 1 > {} 2>&1'",
                    group.enter(), test::program_path(), scan, image, log);
    const int status = std::system(command.c_str());
    const int exit_code = WIFEXITED(status) ? WEXITSTATUS(status) : -1;
    const std::string output = test::contents_of(log);
    EXPECT_TRUE(exit_code == 0 || exit_code == 4) << exit_code << "\n" << output;
    if (exit_code == 4) {
        EXPECT_NE(output.find("control group"), std::string::npos) << output;
        EXPECT_EQ(fs::file_size(image), std::string("the image of before").size());
    }
}

INSTANTIATE_TEST_SUITE_P(Megabytes, MemoryGroup, ::testing::Values(8, 12, 20, 30, 60, 66, 72, 78, 84, 90, 150, 250),
                         ::testing::PrintToStringParamName());

}  // namespace
}  // namespace recon
