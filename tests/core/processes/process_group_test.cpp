// Ranks that are processes, with threads in their place: what they reduce, and how they end together. The same over
// MPI: tests/cli/mpi_test.cpp.
#include "core/processes/process_group.hpp"

#include <gtest/gtest.h>

#include <functional>
#include <thread>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/parallel/cpu_communicator.hpp"
#include "core/parallel/rank_groups.hpp"
#include "core/parallel/rank_groups.hpp"
#include "core/parallel/rank_meeting.hpp"
#include "core/parallel/run_ranks.hpp"
#include "core/processes/process_communicator.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/loopback_transport.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

using How = ProcessEnding::How;

/// How each process has ended, with what exit code and words.
struct Ended {
    int exit_code = -1;
    std::vector<std::string> said;
};

/// Runs the work on every process at once; each ends as it says.
std::vector<Ended> run_processes(int size, const std::function<ProcessEnding(ProcessGroup&, Communicator&)>& work) {
    const auto groups = test::make_loopback_groups(size);
    std::vector<Ended> ended(static_cast<std::size_t>(size));
    {
        std::vector<std::jthread> threads;
        for (const auto& group : groups) {
            threads.emplace_back([&work, &ended, &group = *group] {
                Ended& mine = ended[static_cast<std::size_t>(group.rank())];
                const auto say = [&](const std::string& line) { mine.said.push_back(line); };
                ProcessEnding ending;
                try {
                    ending = work(group, *make_process_communicator(group));
                } catch (const RanksAborted&) {
                    ending = {How::dragged, 4, ""};
                } catch (const Error& error) {
                    ending = {How::failed, 3, error.what()};
                }
                try {
                    mine.exit_code = group.end(ending, say);
                } catch (const test::AllEnded& all) {
                    mine.exit_code = all.exit_code;
                }
            });
        }
    }
    return ended;
}

void expect_all_well(const std::vector<Ended>& ended) {
    for (const Ended& one : ended) {
        EXPECT_EQ(one.exit_code, 0);
        EXPECT_TRUE(one.said.empty()) << one.said.front();
    }
}

class Processes : public ::testing::TestWithParam<int> {};

TEST_P(Processes, SumsHaveTheBytesOfRanksThatAreThreads) {
    for (const Precision precision : {Precision::single, Precision::double_}) {
        for (const Index size : {1, 7, 1021, 300'001}) {  // the last in pieces, of double precision
            const auto array_of = [&](Backend& backend, int rank) {
                return test::random_array(backend, {{"n", size}}, precision, 1 + rank);
            };
            std::vector<cdouble> expected;
            run_ranks(make_cpu_communicators(GetParam()), [&](Communicator& rank) {
                const auto backend = make_cpu_backend(1);
                Array array = array_of(*backend, rank.rank());
                rank.all_reduce_sum(array);
                if (rank.rank() == 0) {
                    expected = download<double>(array);
                }
            });
            expect_all_well(run_processes(GetParam(), [&](ProcessGroup&, Communicator& rank) {
                const auto backend = make_cpu_backend(1);
                Array array = array_of(*backend, rank.rank());
                rank.all_reduce_sum(array);
                EXPECT_EQ(download<double>(array), expected) << size;
                return ProcessEnding{};
            }));
        }
    }
}

TEST_P(Processes, NumbersAddUpAgainAndAgainAndMeetingsAreInOrder) {
    expect_all_well(run_processes(GetParam(), [](ProcessGroup&, Communicator& rank) {
        for (int round = 0; round < 40; ++round) {
            std::vector<double> values(round % 2 == 0 ? 2 : 300, rank.rank());
            values[0] = round;
            rank.all_reduce_sum(std::span<double>(values));
            EXPECT_EQ(values.front(), round * rank.size());
            EXPECT_EQ(values.back(), rank.size() * (rank.size() - 1) / 2);
            rank.all_reduce_sum(std::span<double>());  // a meeting and no more
        }
        return ProcessEnding{};
    }));
}

TEST_P(Processes, BytesOfTheFirstReachAll) {
    expect_all_well(run_processes(GetParam(), [](ProcessGroup& group, Communicator& rank) {
        for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{5'000'000}}) {
            std::vector<char> bytes(size, static_cast<char>('a' + rank.rank()));
            rank.broadcast(std::as_writable_bytes(std::span(bytes)));
            EXPECT_TRUE(std::ranges::all_of(bytes, [](char c) { return c == 'a'; }));
        }
        EXPECT_EQ(group.text_of_root("of rank " + std::to_string(rank.rank())), "of rank 0");
        const std::vector<std::string> texts = group.texts_of_ranks(std::string(rank.rank(), 'x'));
        EXPECT_EQ(std::ssize(texts), rank.rank() == 0 ? rank.size() : 0);
        for (std::size_t i = 0; i < texts.size(); ++i) {
            EXPECT_EQ(texts[i], std::string(i, 'x'));
        }
        return ProcessEnding{};
    }));
}

/// Each with messages of its own, at the same time; then all together again.
TEST(ProcessesInGroups, AddUpAndTellEachOtherApartFromTheOthers) {
    expect_all_well(run_processes(5, [](ProcessGroup& group, Communicator& all) {
        const RankGroups groups{.rank_count = 5, .group_count = 2};
        const int own = groups.group_of(group.rank());
        const auto ranks = make_process_communicator(group, groups.ranks_of(own));
        EXPECT_EQ(ranks->size(), own == 0 ? 3 : 2);
        EXPECT_EQ(ranks->rank(), group.rank() - (own == 0 ? 0 : 3));
        for (const std::size_t count : {std::size_t{1}, std::size_t{3'000'000}}) {
            std::vector<double> values(count, group.rank());
            ranks->all_reduce_sum(std::span<double>(values));
            EXPECT_EQ(values.back(), own == 0 ? 0 + 1 + 2 : 3 + 4);
            ranks->broadcast(std::as_writable_bytes(std::span(values)));
        }
        std::vector<int> first(1, group.rank());
        ranks->broadcast(std::as_writable_bytes(std::span(first)));
        EXPECT_EQ(first.front(), own == 0 ? 0 : 3);
        EXPECT_EQ(all.sum(1), 5);
        return ProcessEnding{};
    }));
}

TEST(ProcessesInGroups, AFailureInOneEndsTheWaitsOfTheOther) {
    const auto ended = run_processes(4, [](ProcessGroup& group, Communicator&) -> ProcessEnding {
        group.begin_work();
        const RankGroups groups{.rank_count = 4, .group_count = 2};
        const auto ranks = make_process_communicator(group, groups.ranks_of(groups.group_of(group.rank())));
        ranks->sum(1);
        if (group.rank() == 3) {
            throw Error("out of memory");
        }
        for (;;) {  // as the iterations of frames that have nothing to do with it
            ranks->sum(1);
        }
    });
    for (const Ended& one : ended) {
        EXPECT_EQ(one.exit_code, 4);
    }
    ASSERT_EQ(ended.front().said.size(), 1U);
    EXPECT_NE(ended.front().said.front().find("out of memory"), std::string::npos);
}

INSTANTIATE_TEST_SUITE_P(, Processes, ::testing::Values(1, 2, 3, 5));

TEST(ProcessesThatEnd, TheErrorOfOneIsSaidOnceAndEndsAllWithOneCode) {
    const auto ended = run_processes(3, [](ProcessGroup& group, Communicator& rank) {
        group.begin_work();
        rank.sum(1);
        if (rank.rank() == 1) {
            throw InputError("a bad file");
        }
        rank.sum(1);
        return ProcessEnding{};
    });
    for (const Ended& one : ended) {
        EXPECT_EQ(one.exit_code, 4);
    }
    EXPECT_EQ(ended[0].said, std::vector<std::string>{"error: rank 1 of 3: a bad file"});
    EXPECT_TRUE(ended[1].said.empty());
    EXPECT_TRUE(ended[2].said.empty());
}

TEST(ProcessesThatEnd, WhatIsWrongForAllIsSaidOfNone) {
    const auto ended = run_processes(
        3, [](ProcessGroup&, Communicator&) -> ProcessEnding { throw InputError("there is no such scan"); });
    for (const Ended& one : ended) {
        EXPECT_EQ(one.exit_code, 3) << "before the work begins an error keeps its code";
    }
    EXPECT_EQ(ended[0].said, std::vector<std::string>{"error: there is no such scan"});
}

TEST(ProcessesThatEnd, WhoeverWorksOnIsEndedAfterSomeSeconds) {
    const auto start = std::chrono::steady_clock::now();
    const auto ended = run_processes(2, [](ProcessGroup& group, Communicator& rank) {
        group.begin_work();
        if (rank.rank() == 0) {
            std::this_thread::sleep_for(std::chrono::seconds(10));  // and never comes to a meeting
            return ProcessEnding{};
        }
        throw DeviceError("out of memory");
    });
    EXPECT_EQ(ended[1].exit_code, 4);
    EXPECT_EQ(ended[1].said, std::vector<std::string>{"error: rank 1 of 2: out of memory"});
    EXPECT_LT(std::chrono::steady_clock::now() - start, std::chrono::seconds(20));
}

TEST(ProcessesThatEnd, ASignalIsSaidOnce) {
    const auto ended = run_processes(3, [](ProcessGroup&, Communicator& rank) -> ProcessEnding {
        if (rank.rank() == 2) {
            return {How::stopped, 4, "stopped by SIGTERM"};
        }
        rank.sum(1);
        return {};
    });
    EXPECT_EQ(ended[0].said, std::vector<std::string>{"stopped by SIGTERM"});
    EXPECT_EQ(ended[1].exit_code, 4);
    EXPECT_TRUE(ended[2].said.empty());
}

TEST(ProcessesThatEnd, AWaitThatWasToStopAndLastsIsGivenUp) {
    CancelSource source;
    const auto ended = run_processes(2, [&](ProcessGroup& group, Communicator& rank) -> ProcessEnding {
        if (rank.rank() == 1) {
            return {};  // gone, and nobody said so
        }
        group.watch(source);
        source.request();
        test::expect_error<Cancelled>([&] { rank.sum(1); }, {"did not answer"});
        return {How::stopped, 4, "stopped"};
    });
    EXPECT_EQ(ended[0].exit_code, 4);
}

TEST(ProcessesThatEnd, SizesThatDifferAreRefused) {
    const auto ended = run_processes(2, [](ProcessGroup&, Communicator& rank) {
        std::vector<double> values(rank.rank() == 0 ? 2 : 3);
        rank.all_reduce_sum(std::span<double>(values));
        return ProcessEnding{};
    });
    EXPECT_EQ(ended[0].exit_code, 3);
    ASSERT_EQ(ended[0].said.size(), 1U);
    EXPECT_NE(ended[0].said.front().find("expected"), std::string::npos) << ended[0].said.front();
}

TEST(ProcessesThatJoin, WithoutAModuleTheReasonIsSaid) {
    test::expect_error<BackendUnavailable>([] { ProcessGroup::join({"/no/such/folder"}); },
                                           {"recon_mpi.so", "/no/such/folder", "libopenmpi-dev", "divide"});
}

}  // namespace
}  // namespace recon
