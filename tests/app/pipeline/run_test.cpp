#include "app/pipeline/run.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>
#include <set>
#include <thread>

#include "app/pipeline/iteration_monitor.hpp"
#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/log_binding.hpp"
#include "core/parallel/cpu_communicator.hpp"
#include "core/parallel/run_ranks.hpp"

namespace recon {
namespace {

TEST(Stage, EveryOneHasANameOfItsOwn) {
    std::set<std::string_view> names;
    for (const Stage stage : all_stages) {
        names.insert(name_of(stage));
    }
    EXPECT_EQ(names.size(), all_stages.size());
}

class RunTest : public ::testing::Test {
protected:
    std::unique_ptr<Backend> backend_ = make_cpu_backend(1);
    RunControl control_;
    recon::Run run_{*backend_, only_rank(), control_};
};

TEST_F(RunTest, AStageIsTimedAndItsPeakBooked) {
    const Array outside(*backend_, {{"n", 1000}}, Precision::single);
    const std::size_t before = backend_->memory().in_use();
    run_.stage(Stage::q, [&] { const Array inside(*backend_, {{"n", 5000}}, Precision::single); });
    run_.stage(Stage::solve, [] { std::this_thread::sleep_for(std::chrono::milliseconds(5)); });
    EXPECT_EQ(control_.stages.of(Stage::q).peak_bytes, before + 5000 * sizeof(cfloat));
    EXPECT_EQ(control_.stages.of(Stage::solve).peak_bytes, before);
    EXPECT_GE(control_.stages.of(Stage::solve).seconds, 5e-3);
    EXPECT_GE(backend_->memory().peak(), before + 5000 * sizeof(cfloat)) << "the peak of the whole run is lost";
}

TEST_F(RunTest, AStageWithinAnotherCountsInBoth) {
    run_.stage(Stage::lambda, [&] {
        EXPECT_TRUE(run_.is_in(Stage::lambda));
        run_.stage(Stage::solve, [&] { const Array inside(*backend_, {{"n", 5000}}, Precision::single); });
    });
    EXPECT_FALSE(run_.is_in(Stage::lambda));
    EXPECT_EQ(control_.stages.of(Stage::lambda).peak_bytes, control_.stages.of(Stage::solve).peak_bytes);
}

/// Q and F^H d of large scans take minutes, reading as well.
TEST_F(RunTest, AStageThatLastsShowsALine) {
    Log log;
    const LogBinding bound(&log);
    control_.progress = Progress::live_line;
    const auto shown_in = [&](std::chrono::milliseconds time) {
        ::testing::internal::CaptureStderr();
        for (const Stage stage : {Stage::read, Stage::q, Stage::adjoint}) {
            run_.stage(stage, [&] { std::this_thread::sleep_for(time); });
        }
        return ::testing::internal::GetCapturedStderr();
    };
    EXPECT_EQ(shown_in(std::chrono::milliseconds(10)).find("q: "), std::string::npos);
    const std::string shown = shown_in(std::chrono::milliseconds(1100));
    for (const char* line : {"read: 1 s", "q: 1 s", "fhd: 1 s"}) {
        EXPECT_NE(shown.find(line), std::string::npos) << shown;
    }
}

/// Every iteration is in the history, which curves are made of; a log that nobody watches shows round ones.
TEST_F(RunTest, IterationsAreKeptAndSomeAreShown) {
    const Array image(*backend_, {{"n", 1}}, Precision::single);
    const auto shown_of = [&](Progress progress, std::size_t kept) {
        Log log(LogLevel::info);
        const LogBinding bound(&log);
        control_.progress = progress;
        ::testing::internal::CaptureStderr();
        {
            IterationMonitor monitor(run_, 30, "cg");
            for (int i = 1; i <= 23; ++i) {
                monitor.iteration_done(i, 1.0 / i, image);
            }
        }
        const std::string shown = ::testing::internal::GetCapturedStderr();
        EXPECT_EQ(log.history().size(), kept);
        return std::ranges::count(shown, '\n');
    };
    EXPECT_EQ(shown_of(Progress::some_lines, 23), 5) << "1, 2, 5, 10, 20";
    EXPECT_EQ(shown_of(Progress::all_lines, 23), 23);
    EXPECT_EQ(shown_of(Progress::live_line, 23), 0) << "one over and over";
    EXPECT_EQ(shown_of(Progress::silent, 0), 0);
}

TEST_F(RunTest, NoStageIsEnteredAfterARequestToStop) {
    control_.cancel.request();
    EXPECT_THROW(run_.stage(Stage::q, [] { FAIL() << "entered"; }), Cancelled);
    EXPECT_THROW(run_.begin_frame(0), Cancelled);
    EXPECT_TRUE(control_.stages.costs().empty());
}

TEST_F(RunTest, AnImageThatIsKeptIsFinished) {
    control_.partial = PartialImage::keep;
    run_.begin_image();
    EXPECT_FALSE(run_.stops_with_image());
    control_.cancel.request();
    EXPECT_TRUE(run_.stops_with_image());
    EXPECT_EQ(run_.stage(Stage::residual, [] { return 3; }), 3);
    EXPECT_THROW(run_.begin_frame(0), Cancelled);
}

TEST(RunOfRanks, TheFirstOneMakesAndTheOthersGet) {
    RunControl control;
    std::vector<std::shared_ptr<const int>> got(3);
    std::atomic<int> made = 0;
    run_ranks(make_cpu_communicators(3), [&](Communicator& rank) {
        const auto backend = make_cpu_backend(1);
        recon::Run run(*backend, rank, control);
        for (int i = 0; i < 3; ++i) {
            got[rank.rank()] = run.from_root(Stage::coil_maps, [&]() -> std::shared_ptr<const int> {
                ++made;
                return std::make_shared<const int>(i);
            });
        }
        run.from_root(Stage::read, [&] { made += 10; });
    });
    EXPECT_EQ(made, 13);
    EXPECT_EQ(*got[0], 2);
    EXPECT_EQ(got[1], got[0]);
    EXPECT_EQ(got[2], got[0]);
}

TEST(RunOfRanks, ARequestEndsAllOfThem) {
    RunControl control;
    std::atomic<int> ended = 0;
    EXPECT_THROW(run_ranks(make_cpu_communicators(2),
                           [&](Communicator& rank) {
                               const auto backend = make_cpu_backend(1);
                               recon::Run run(*backend, rank, control);
                               const auto count = [&ended](recon::Run*) { ++ended; };
                               const std::unique_ptr<recon::Run, decltype(count)> when_left(&run, count);
                               if (run.is_root()) {
                                   control.cancel.request();
                                   run.begin_frame(0);
                               }
                               rank.sum(0);  // would wait for the first one
                           }),
                 Cancelled);
    EXPECT_EQ(ended, 2);
}

}  // namespace
}  // namespace recon
