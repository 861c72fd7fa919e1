// A GPU that is lost in the midst of a run, at one place after the other: the run ends with a line, what was there
// before stays whole, and a checkpoint takes the run up.
#include <dlfcn.h>
#include <gmock/gmock.h>

#include <algorithm>
#include <array>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>
#include <vector>

#include "data/reading/placed_image_reader.hpp"
#include "gpu/device/device_count.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/paths.hpp"
#include "tests/support/program.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;
using ::testing::HasSubstr;
using ::testing::StartsWith;

/// Where the driver lies. Empty: there is none.
std::string driver_path() {
    void* const driver = ::dlopen("libcuda.so.1", RTLD_LAZY);
    void* const function = driver == nullptr ? nullptr : ::dlsym(driver, "cuInit");
    Dl_info found{};
    return function != nullptr && ::dladdr(function, &found) != 0 ? found.dli_fname : "";
}

std::size_t lines_of(const std::string& text, const std::string& what) {
    std::istringstream lines(text);
    std::size_t count = 0;
    for (std::string line; std::getline(lines, line);) {
        count += line.find(what) != std::string::npos ? 1 : 0;
    }
    return count;
}

/// The name of a kind of run, with its options.
struct LostRun {
    std::string name;
    std::string scan;
    std::string options;
    std::string device = "cuda";
};

class LostGpus : public ::testing::TestWithParam<LostRun> {
protected:
    static constexpr const char* before = "what was there before";

    void SetUp() override {
#if !defined(__x86_64__)
        GTEST_SKIP() << "the driver that loses its GPU is x86-64 code";
#endif
        try {
            make_cuda_backend(0);
        } catch (const BackendUnavailable& unavailable) {
            GTEST_SKIP() << unavailable.what();
        }
        if (GetParam().device != "cuda" && cuda_device_count() < 2) {
            GTEST_SKIP() << "there is one GPU";
        }
        driver_ = driver_path();
        const auto run = test::run_recon("simulate --coils 2 " + GetParam().scan + " --out " + scan_);
        ASSERT_EQ(run.exit_code, 0) << run.output;
        const auto whole = reconstruct("");
        ASSERT_EQ(whole.exit_code, 0) << whole.output;
        whole_ = voxels();
    }
    std::vector<cfloat> voxels() const { return read_placed_image(image_).image.voxels; }
    test::ProgramRun reconstruct(const std::string& more, const std::string& environment = "") const {
        return test::run_recon("--device " + GetParam().device + " --no-cache --scan " + scan_ + " --out " + image_ +
                                   " " + GetParam().options + " " + more,
                               environment);
    }
    /// Before the program, which is ended after a minute.
    /// @param calls  launches and copies until it is lost  @param error  what the driver says then
    std::string losing(int calls, int error) const {
        return "RECON_DRIVER=" + driver_ + " RECON_LOST_GPU=" + std::to_string(calls) + ":" + std::to_string(error) +
               " LD_LIBRARY_PATH=" + test::lost_gpu_folder() + ":$LD_LIBRARY_PATH timeout 60";
    }
    /// @return whether the GPU was lost before the run was done
    bool ends_clearly(int calls, int error, const std::string& more = "") {
        std::ofstream(image_) << before;
        const auto start = std::chrono::steady_clock::now();
        const auto run = reconstruct(more, losing(calls, error));
        const std::chrono::duration<double> took = std::chrono::steady_clock::now() - start;
        last_output_ = run.output;
        SCOPED_TRACE("lost after " + std::to_string(calls) + ": " + run.output);
        EXPECT_LT(took.count(), 30);
        for (const auto& entry : fs::directory_iterator(folder_.path())) {
            EXPECT_EQ(entry.path().string().find(".partial"), std::string::npos) << entry.path();
        }
        if (run.exit_code == 0) {
            EXPECT_EQ(voxels(), whole_);
            return false;
        }
        EXPECT_EQ(run.exit_code, 4);
        EXPECT_EQ(test::contents_of(image_), before);
        EXPECT_EQ(lines_of(run.output, "recon: error: "), 1);
        EXPECT_EQ(lines_of(run.output, "releasing"), 0);
        const std::string line = run.output.substr(std::min(run.output.size(), run.output.find("recon: error: ")));
        EXPECT_THAT(line, StartsWith("recon: error: cuda:"));
        EXPECT_THAT(line, HasSubstr(") failed in the midst of the work: "));
        EXPECT_THAT(line, HasSubstr("use --device cpu"));
        return true;
    }

    test::TemporaryFolder folder_;
    std::string scan_ = folder_ / "scan.h5", image_ = folder_ / "image.h5", driver_;
    std::string last_output_;
    std::vector<cfloat> whole_;
};

TEST_P(LostGpus, EndTheRunWithALine) {
    constexpr int fallen_off_the_bus = 999, illegal_address = 700, uncorrectable = 214;
    int calls = 1, lost = 0;
    for (; ends_clearly(calls, std::array{fallen_off_the_bus, illegal_address, uncorrectable}[lost % 3]);
         calls += 1 + calls / 2) {
        ++lost;
        ASSERT_LT(calls, 1 << 20) << "never done";
    }
    EXPECT_GE(lost, 8);
}

TEST_P(LostGpus, AreNoLossToWhatHasACheckpoint) {
    const std::string keeps = "--every 0 --resume --checkpoint " + (folder_ / "run.checkpoint");
    int calls = 400;
    for (; ends_clearly(calls, 999, keeps); calls += 400) {
        ASSERT_LT(calls, 1 << 20) << "never done";
    }
    EXPECT_GT(calls, 400) << "never lost";
    EXPECT_THAT(last_output_, HasSubstr("run.checkpoint is taken up"));
}

INSTANTIATE_TEST_SUITE_P(, LostGpus,
                         ::testing::Values(LostRun{"cuda", "--matrix 32 32", ""},
                                           LostRun{"cuda_volume", "--matrix 16 16 16", ""},
                                           LostRun{"cuda_without_maps", "--matrix 32 32 --no-coil-maps", ""},
                                           LostRun{"cuda_tv", "--matrix 32 32", "--prior tv --lambda 1e-3"},
                                           LostRun{"cuda_two_gpus", "--matrix 32 32", "", "cuda:0,1"}),
                         [](const auto& info) { return info.param.name; });

}  // namespace
}  // namespace recon
