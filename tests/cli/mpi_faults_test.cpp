// Several processes, started by mpirun: one end for all, and a checkpoint that any number of them takes up.
#include <signal.h>

#include <algorithm>
#include <chrono>
#include <thread>

#include "tests/support/mpi/mpi_ranks.hpp"

namespace recon {
namespace {

namespace fs = std::filesystem;
using Clock = std::chrono::steady_clock;
using test::contents_of, test::times_in;

constexpr const char* unknown_ranks = "the ranks of this launcher cannot be told";

/// Runs that are ended in the middle of their iterations.
class MpiFaults : public test::MpiRanks {
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
    static pid_t parent_of(pid_t process) {
        const std::string stat = contents_of(fs::path("/proc") / std::to_string(process) / "stat");
        const std::size_t at = stat.rfind(") ");  // behind the name: state, parent
        return at == std::string::npos ? 0 : std::atoi(stat.c_str() + at + 4);
    }
    /// Processes of this run, rank 0 first; not those that ranks have read files for them.
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
            const pid_t parent = parent_of(process);
            if (std::ranges::none_of(found, [&](const auto& other) { return other.second == parent; })) {
                result.push_back(process);
            }
        }
        return result;
    }
    /// The same of a program that runs; none, and it is ended, where they cannot be told of its launcher.
    std::vector<pid_t> ranks_of(test::RunningProgram& program) const {
        std::vector<pid_t> ranks = processes();
        if (ranks.empty()) {
            program.send(SIGTERM);
            program.wait();
        }
        return ranks;
    }
    void expect_a_clean_end(Clock::time_point since) const {
        while (!processes().empty() && Clock::now() - since < std::chrono::seconds(10)) {
            std::this_thread::sleep_for(std::chrono::milliseconds(10));  // what read for a rank sees that it is gone
        }
        EXPECT_LT(Clock::now() - since, std::chrono::seconds(10));
        EXPECT_TRUE(processes().empty());
        EXPECT_EQ(contents_of(folder_ / "image.h5"), "the image of before");
        EXPECT_TRUE(litter().empty());
    }
};

TEST_F(MpiFaults, ARankThatIsKilledEndsAll) {
    test::RunningProgram program(long_run(), folder_ / "log", test::launcher(3));
    ASSERT_TRUE(program.has_said("iteration 20 ")) << program.output();
    const std::vector<pid_t> ranks = ranks_of(program);
    if (ranks.empty()) {
        GTEST_SKIP() << unknown_ranks;
    }
    ASSERT_EQ(ranks.size(), 3U);
    const auto since = Clock::now();
    kill(ranks[1], SIGKILL);
    EXPECT_NE(program.wait(), 0);
    expect_a_clean_end(since);
}

/// The others of its group wait for it, those of the other group for each other.
TEST_F(MpiFaults, ARankOfOneGroupThatFailsEndsAllWithOneLine) {
    simulate("--matrix 48 48 --coils 4 --frames 2");
    test::RunningProgram program(long_run("--divide frames,coils"), folder_ / "log", test::launcher(4));
    ASSERT_TRUE(program.has_said("iteration 20 ")) << program.output();
    const std::vector<pid_t> ranks = ranks_of(program);
    if (ranks.empty()) {
        GTEST_SKIP() << unknown_ranks;
    }
    ASSERT_EQ(ranks.size(), 4U);
    const auto since = Clock::now();
    kill(ranks[3], SIGTERM);
    EXPECT_EQ(program.wait(), 4) << program.output();
    EXPECT_EQ(times_in("recon: stopped by ", program.output()), 1) << program.output();
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
        const std::vector<pid_t> ranks = ranks_of(program);
        if (ranks.empty()) {
            GTEST_SKIP() << unknown_ranks;
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

/// What ranks have done of six frames is found by two, each of which has others of them than before.
class FramesTakenUp : public MpiFaults {
protected:
    void expect_taken_up(int rank_count, const std::string& divide, const std::string& checkpoint,
                         const std::string& found, double rounding) {
        simulate("--matrix 48 48 --coils 2 --frames 6");
        const std::string options = "--prior tv --lambda 1e-3 --stop 0 --iterations 150 --every 0s --checkpoint " +
                                    (folder_ / "run.ckpt") + " --resume ";
        fs::remove(folder_ / "image.h5");
        const std::vector<cfloat> whole = image(0, options);
        fs::remove(folder_ / "image.h5");
        test::RunningProgram program(arguments("image.h5", "--threads 1 " + options + divide), folder_ / "log",
                                     test::launcher(rank_count));
        ASSERT_TRUE(program.has_said("frame 1 (of 0 to 5)")) << program.output();  // the second one of rank 0
        const auto since = Clock::now();  // on a busy machine the others are behind
        while (!fs::exists(folder_ / checkpoint) && Clock::now() - since < std::chrono::seconds(30)) {
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        const std::vector<pid_t> ranks = ranks_of(program);
        if (ranks.empty()) {
            GTEST_SKIP() << unknown_ranks;
        }
        for (const pid_t rank : ranks) {
            kill(rank, SIGTERM);
        }
        EXPECT_EQ(program.wait(), 4) << program.output();
        EXPECT_TRUE(fs::exists(folder_ / checkpoint)) << program.output();
        EXPECT_LE(test::image_difference(image(2, options + "--divide frames"), whole), rounding);
        EXPECT_NE(output_.find(found), std::string::npos) << output_;
        EXPECT_FALSE(fs::exists(folder_ / "run.ckpt"));
        EXPECT_TRUE(litter().empty());
    }
};

TEST_F(FramesTakenUp, OfMoreRanks) {
    expect_taken_up(3, "--divide frames", "run.ckpt.rank2", "was of 3 ranks, each with frames of its own", 0);
}

TEST_F(FramesTakenUp, OfGroups) {
    expect_taken_up(4, "--divide frames,coils", "run.ckpt.rank2", "was of 4 ranks in 2 groups of 2", 1e-4);
}

}  // namespace
}  // namespace recon
