#pragma once

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>
#include <sstream>

#include "data/files/hdf5_file.hpp"
#include "tests/support/file_contents.hpp"
#include "tests/support/mpi/mpi_program.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon::test {

inline Index times_in(const std::string& word, const std::string& text) {
    Index count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++count;
    }
    return count;
}

inline double image_difference(const std::vector<cfloat>& image, const std::vector<cfloat>& reference) {
    return relative_difference({image.begin(), image.end()}, {reference.begin(), reference.end()});
}

/// Images that processes started by mpirun make of one scan, in one folder.
class MpiRanks : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string reason = why_no_ranks(); !reason.empty()) {
            GTEST_SKIP() << reason;
        }
    }
    void simulate(const std::string& options) const {
        const auto made = run_recon("simulate --trajectory radial --out " + scan_ + " " + options);
        ASSERT_EQ(made.exit_code, 0) << made.output;
    }
    std::string arguments(const std::string& out, const std::string& options) const {
        return "--scan " + scan_ + " --out " + (folder_ / out) + " --device cpu --no-cache " + options;
    }
    /// The image of so many ranks; 0: of the program by itself.
    std::vector<cfloat> image(int rank_count, const std::string& options) {
        const auto run =
            run_recon(arguments("image.h5", "--json " + (folder_ / "run.json") + " --threads 1 " + options),
                      rank_count == 0 ? "" : launcher(rank_count));
        EXPECT_EQ(run.exit_code, 0) << run.output;
        output_ = run.output;
        return H5File::open(folder_ / "image.h5").read<cfloat>("/image");
    }
    std::vector<std::string> litter() const {
        std::vector<std::string> found;
        for (const auto& entry : std::filesystem::directory_iterator(folder_.path())) {
            if (entry.path().string().find(".partial") != std::string::npos ||
                entry.path().string().find(".rank") != std::string::npos) {
                found.push_back(entry.path().string());
            }
        }
        return found;
    }

    TemporaryFolder folder_;
    std::string scan_ = folder_ / "scan.h5";
    std::string output_;
};

}  // namespace recon::test
