// Several processes, started by mpirun: the image of one, a record of all, and one end for all.
#include <gtest/gtest.h>
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <sstream>

#include "data/files/hdf5_file.hpp"
#include "tests/support/mpi_program.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;

std::string contents_of(const std::string& path) {
    std::ifstream file(path, std::ios::binary);
    return (std::ostringstream() << file.rdbuf()).str();
}

Index times_in(const std::string& word, const std::string& text) {
    Index count = 0;
    for (std::size_t at = text.find(word); at != std::string::npos; at = text.find(word, at + 1)) {
        ++count;
    }
    return count;
}

double image_difference(const std::vector<cfloat>& image, const std::vector<cfloat>& reference) {
    return test::relative_difference({image.begin(), image.end()}, {reference.begin(), reference.end()});
}

class MpiRanks : public ::testing::Test {
protected:
    void SetUp() override {
        if (const std::string reason = test::why_no_ranks(); !reason.empty()) {
            GTEST_SKIP() << reason;
        }
    }
    void simulate(const std::string& options) const {
        const auto made = test::run_recon("simulate --trajectory radial --out " + scan_ + " " + options);
        ASSERT_EQ(made.exit_code, 0) << made.output;
    }
    std::string arguments(const std::string& out, const std::string& options) const {
        return "--scan " + scan_ + " --out " + (folder_ / out) + " --device cpu --no-cache " + options;
    }
    /// The image of so many ranks; 0: of the program by itself.
    std::vector<cfloat> image(int rank_count, const std::string& options) {
        const auto run =
            test::run_recon(arguments("image.h5", "--json " + (folder_ / "run.json") + " --threads 1 " + options),
                            rank_count == 0 ? "" : test::launcher(rank_count));
        EXPECT_EQ(run.exit_code, 0) << run.output;
        output_ = run.output;
        return H5File::open(folder_ / "image.h5").read<cfloat>("/image");
    }
    std::vector<std::string> litter() const {
        std::vector<std::string> found;
        for (const auto& entry : fs::directory_iterator(folder_.path())) {
            if (entry.path().string().find(".partial") != std::string::npos ||
                entry.path().string().find(".rank") != std::string::npos) {
                found.push_back(entry.path().string());
            }
        }
        return found;
    }

    test::TemporaryFolder folder_;
    std::string scan_ = folder_ / "scan.h5";
    std::string output_;
};

TEST_F(MpiRanks, CoilsDividedGiveTheImageOfOneAndTheSameBytesAgain) {
    simulate("--matrix 40 36 --coils 5 --no-coil-maps");
    const std::vector<cfloat> alone = image(0, "");
    for (const int rank_count : {1, 2, 3, 4}) {
        const std::vector<cfloat> first = image(rank_count, "--divide coils");
        // the default prior solves as far as its predicted error, 18 % here, asks for: rounding moves that end
        EXPECT_LT(image_difference(first, alone), 0.01) << rank_count;
        EXPECT_EQ(times_in("backend: ", output_), 1) << output_;
        if (rank_count > 1) {
            EXPECT_EQ(image(rank_count, "--divide coils"), first) << rank_count;
            const auto record = test::read_json(folder_ / "run.json");
            ASSERT_EQ(record["ranks"].size(), static_cast<std::size_t>(rank_count));
            for (const auto& rank : record["ranks"]) {
                EXPECT_GE(rank["waited"], 0);
                EXPECT_LT(rank["waited"], rank["seconds"]);
                EXPECT_GT(rank["memory_peak_bytes"], 0);
            }
        }
    }
    EXPECT_TRUE(litter().empty());
}

/// Of an MRD file with a noise scan: coils are whitened, which takes all of them.
TEST_F(MpiRanks, PartsOfWhitenedCoilsGiveTheImageOfOne) {
    simulate("--matrix 32 28 --coils 5 --no-coil-maps --format mrd --noise-samples 300");
    const std::string options = "--prior none --iterations 5";
    const std::vector<cfloat> alone = image(0, options);
    for (const int rank_count : {2, 4}) {
        EXPECT_LT(image_difference(image(rank_count, options), alone), 1e-4) << rank_count;
        EXPECT_NE(output_.find("of 5 coils"), std::string::npos) << output_;
    }
    EXPECT_TRUE(H5File::open(folder_ / "image.h5").has_dataset("/coil_maps"));
}

TEST_F(MpiRanks, MemoryOfARankFallsWithTheirNumber) {
    simulate("--matrix 128 128 --coils 128");
    const auto most_booked = [&](int rank_count) {
        image(rank_count, "--prior none --iterations 2 --divide coils --no-accuracy-check");
        const auto record = test::read_json(folder_ / "run.json");
        if (!record.contains("ranks")) {
            return record["memory_booked_peak_bytes"].get<double>();
        }
        double most = 0;
        for (const auto& rank : record["ranks"]) {
            most = std::max(most, rank["memory_booked_peak_bytes"].get<double>());
        }
        return most;
    };
    const double of_one = most_booked(1);
    EXPECT_LT(most_booked(4), 0.9 * of_one);  // with the program itself, whose heap differs from run to run
}

/// Options that look at all coils before they are divided.
TEST_F(MpiRanks, AllCoilsAreHeldWhereThatIsNeeded) {
    simulate("--matrix 32 28 --coils 6 --no-coil-maps");
    const std::string options = "--prior none --iterations 4 --coils 3";
    EXPECT_LT(image_difference(image(2, options), image(0, options)), 1e-4);
    EXPECT_EQ(output_.find("each holds"), std::string::npos) << output_;
}

TEST_F(MpiRanks, SamplesAreDividedWhereCoilsAreFew) {
    simulate("--matrix 32 32 --coils 1");
    const std::string options = "--prior none --iterations 5";
    EXPECT_LT(image_difference(image(3, options), image(0, options)), 1e-4);
}

TEST_F(MpiRanks, FramesDividedGiveTheBytesOfOne) {
    simulate("--matrix 32 32 --coils 3 --no-coil-maps --frames 5");
    const std::vector<cfloat> alone = image(0, "");
    EXPECT_EQ(image(3, "--divide frames"), alone);
    EXPECT_NE(output_.find("processes divide 5 frames"), std::string::npos) << output_;
    const auto record = test::read_json(folder_ / "run.json");
    ASSERT_EQ(record["frames"].size(), 5U);
    for (const auto& frame : record["frames"]) {
        EXPECT_GT(frame["data_residual"], 0);
        EXPECT_GT(frame["iterations"], 0);
    }
    EXPECT_EQ(image(5, ""), alone) << "five frames on five ranks are divided of themselves";
}

TEST_F(MpiRanks, AFileThatIsMissingIsSaidOnce) {
    const auto run =
        test::run_recon("--scan " + (folder_ / "none.h5") + " --out " + (folder_ / "image.h5"), test::launcher(3));
    EXPECT_EQ(run.exit_code, 3) << run.output;
    EXPECT_EQ(times_in("recon: error: ", run.output), 1) << run.output;
}

TEST_F(MpiRanks, OptionsThatDifferAreRefused) {
    simulate("--matrix 16 16 --coils 2");
    const std::string more = " : -n 1 " + std::string(test::program_path()) + " ";
    const auto run = test::run_recon(arguments("image.h5", "--lambda 1") + more + arguments("image.h5", "--lambda 2"),
                                     test::launcher(1));
    EXPECT_EQ(run.exit_code, 2) << run.output;
    EXPECT_NE(run.output.find("--lambda is "), std::string::npos) << run.output;
}

TEST_F(MpiRanks, EachIsAloneWhereTheyDivideNothing) {
    simulate("--matrix 16 16 --coils 2");
    const auto run =
        test::run_recon(arguments("image.h5", "--divide none --prior none --iterations 2"), test::launcher(1));
    EXPECT_EQ(run.exit_code, 0) << run.output;
}

TEST_F(MpiRanks, MessagesAreMeasuredAndSumsChecked) {
    const auto run = test::run_recon("bench --ranks --device cpu --threads 1", test::launcher(3));
    EXPECT_EQ(run.exit_code, 0) << run.output;
    EXPECT_EQ(times_in("all-reduce", run.output), 3) << run.output;
    EXPECT_EQ(test::run_recon("bench --ranks").exit_code, 2);
}

/// Runs that are ended in the middle of their iterations.
class MpiFaults : public MpiRanks {
protected:
    void SetUp() override {
        MpiRanks::SetUp();
        if (!IsSkipped()) {
            simulate("--matrix 48 48 --coils 4");
            std::ofstream(folder_ / "image.h5") << "the image of before";
        }
    }
    std::string long_run(const std::string& options = "") const {
        return arguments("image.h5", "--prior tv --lambda 1e-3 --iterations 20000 --stop 0 --threads 1 " + options);
    }
    /// Processes of this run, rank 0 first.
    std::vector<pid_t> processes() const {
        std::vector<std::pair<int, pid_t>> found;
        for (const auto& entry : fs::directory_iterator("/proc")) {
            const std::string name = entry.path().filename();
            if (!std::ranges::all_of(name, [](char c) { return c >= '0' && c <= '9'; })) {
                continue;
            }
            const std::string command = contents_of(entry.path() / "cmdline");
            const std::string environment = contents_of(entry.path() / "environ");
            const std::string mark = "OMPI_COMM_WORLD_RANK=";
            const std::size_t at = environment.find(mark);
            if (command.starts_with(test::program_path()) && command.find(scan_) != std::string::npos &&
                at != std::string::npos) {
                found.emplace_back(std::atoi(environment.c_str() + at + mark.size()), std::atoi(name.c_str()));
            }
        }
        std::ranges::sort(found);
        std::vector<pid_t> result;
        for (const auto& [rank, process] : found) {
            result.push_back(process);
        }
        return result;
    }
    void expect_a_clean_end(Clock::time_point since) const {
        EXPECT_LT(Clock::now() - since, std::chrono::seconds(10));
        EXPECT_EQ(contents_of(folder_ / "image.h5"), "the image of before");
        EXPECT_TRUE(litter().empty());
        EXPECT_TRUE(processes().empty());
    }
};

TEST_F(MpiFaults, ARankThatIsKilledEndsAll) {
    test::RunningProgram program(long_run(), folder_ / "log", test::launcher(3));
    ASSERT_TRUE(program.has_said("iteration 20 ")) << program.output();
    const std::vector<pid_t> ranks = processes();
    if (ranks.empty()) {
        program.send(SIGTERM);
        program.wait();
        GTEST_SKIP() << "the ranks of this launcher cannot be told";
    }
    ASSERT_EQ(ranks.size(), 3U);
    const auto since = Clock::now();
    kill(ranks[1], SIGKILL);
    EXPECT_NE(program.wait(), 0);
    expect_a_clean_end(since);
}

TEST_F(MpiFaults, AFullDiskOfRankZeroEndsAllWithOneLine) {
    const auto since = Clock::now();
    const auto run = test::run_recon("--scan " + scan_ + " --out /dev/full --device cpu --prior none --iterations 2",
                                     test::launcher(2));
    EXPECT_EQ(run.exit_code, 4) << run.output;
    EXPECT_EQ(times_in("recon: error: ", run.output), 1) << run.output;
    expect_a_clean_end(since);
}

/// As a scheduler ends the processes of a job.
TEST_F(MpiFaults, SigtermLeavesACheckpointAndTheRunIsTakenUp) {
    const std::string options =
        "--prior tv --lambda 1e-3 --stop 0 --iterations 150 --checkpoint " + (folder_ / "run.ckpt") + " --resume ";
    fs::remove(folder_ / "image.h5");
    const std::vector<cfloat> whole = image(2, options);
    fs::remove(folder_ / "image.h5");
    for (const bool all : {true, false}) {
        test::RunningProgram program(arguments("image.h5", "--threads 1 " + options), folder_ / "log",
                                     test::launcher(2));
        ASSERT_TRUE(program.has_said("iteration 2")) << program.output();
        const std::vector<pid_t> ranks = processes();
        if (ranks.empty()) {
            program.send(SIGTERM);
            program.wait();
            GTEST_SKIP() << "the ranks of this launcher cannot be told";
        }
        const auto since = Clock::now();
        for (const pid_t rank : ranks) {
            if (all || rank == ranks.back()) {
                kill(rank, SIGTERM);
            }
        }
        EXPECT_EQ(program.wait(), 4);
        EXPECT_LT(Clock::now() - since, std::chrono::seconds(10));
        EXPECT_EQ(times_in("recon: stopped by ", program.output()), 1) << program.output();
        EXPECT_TRUE(fs::exists(folder_ / "run.ckpt")) << program.output();
        EXPECT_FALSE(fs::exists(folder_ / "image.h5"));
    }
    EXPECT_EQ(image(2, options), whole);
    EXPECT_NE(output_.find("is taken up"), std::string::npos) << output_;
    EXPECT_FALSE(fs::exists(folder_ / "run.ckpt"));
    EXPECT_TRUE(litter().empty());
}

/// What three ranks have done of six frames is found by two, each of which has others of them than before.
TEST_F(MpiFaults, FramesOfMoreRanksAreTakenUp) {
    simulate("--matrix 48 48 --coils 2 --frames 6");
    const std::string options =
        "--prior tv --lambda 1e-3 --stop 0 --iterations 150 --divide frames --every 0s --checkpoint " +
        (folder_ / "run.ckpt") + " --resume ";
    fs::remove(folder_ / "image.h5");
    const std::vector<cfloat> whole = image(0, options);
    fs::remove(folder_ / "image.h5");
    test::RunningProgram program(arguments("image.h5", "--threads 1 " + options), folder_ / "log", test::launcher(3));
    ASSERT_TRUE(program.has_said("frame 4 of 6")) << program.output();  // the second one of rank 0
    const std::vector<pid_t> ranks = processes();
    for (const pid_t rank : ranks) {
        kill(rank, SIGTERM);
    }
    if (ranks.empty()) {
        program.send(SIGTERM);
        program.wait();
        GTEST_SKIP() << "the ranks of this launcher cannot be told";
    }
    EXPECT_EQ(program.wait(), 4) << program.output();
    EXPECT_TRUE(fs::exists(folder_ / "run.ckpt.rank2")) << program.output();
    EXPECT_EQ(image(2, options), whole);
    EXPECT_NE(output_.find("was of 3 ranks"), std::string::npos) << output_;
    EXPECT_FALSE(fs::exists(folder_ / "run.ckpt"));
    EXPECT_TRUE(litter().empty());
}

}  // namespace
}  // namespace recon
