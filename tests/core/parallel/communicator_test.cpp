// Ranks as threads of one process: what they reduce, and how they end when one of them fails.
#include "core/parallel/communicator.hpp"

#include <gtest/gtest.h>

#include <atomic>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/log_binding.hpp"
#include "core/parallel/cpu_communicator.hpp"
#include "core/parallel/run_ranks.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/random.hpp"

namespace recon {
namespace {

class Ranks : public ::testing::TestWithParam<int> {
protected:
    void run(const std::function<void(Communicator&)>& job) { run_ranks(ranks_, job); }

    std::vector<std::unique_ptr<Communicator>> ranks_ = make_cpu_communicators(GetParam());
};

TEST_P(Ranks, SharesAreConsecutiveAndEven) {
    for (const Index total : {1, 3, 5, 12, 1000}) {
        Index next = 0;
        for (const auto& rank : ranks_) {
            const Share share = share_of(total, *rank);
            EXPECT_EQ(share.first, next);
            EXPECT_LE(std::abs(share.count - total / GetParam()), 1);
            next += share.count;
        }
        EXPECT_EQ(next, total);
    }
}

TEST_P(Ranks, EveryRankGetsTheSameBytesOfTheSum) {
    for (const Precision precision : {Precision::single, Precision::double_}) {
        for (const Index size : {1, 2, 7, 1021}) {
            std::vector<cdouble> expected(size);
            for (int rank = 0; rank < GetParam(); ++rank) {
                const std::vector<cdouble> values = test::random_values(size, 1 + rank);
                std::transform(values.begin(), values.end(), expected.begin(), expected.begin(), std::plus<>());
            }
            std::vector<std::vector<cdouble>> sums(GetParam());
            run([&](Communicator& rank) {
                const auto backend = make_cpu_backend(1);
                Array array = test::random_array(*backend, {{"n", size}}, precision, 1 + rank.rank());
                rank.all_reduce_sum(array);
                sums[rank.rank()] = download<double>(array);
            });
            for (const std::vector<cdouble>& sum : sums) {
                EXPECT_EQ(sum, sums.front());
                // each term and the sum are rounded to the precision once
                EXPECT_LT(test::relative_difference(sum, expected), precision == Precision::single ? 2e-7 : 1e-15);
            }
        }
    }
}

TEST_P(Ranks, NumbersOnTheHostAddUpAgainAndAgain) {
    run([&](Communicator& rank) {
        for (int round = 0; round < 200; ++round) {
            std::array<double, 2> values{static_cast<double>(round), static_cast<double>(rank.rank())};
            rank.all_reduce_sum(values);
            ASSERT_EQ(values[0], round * rank.size());
            ASSERT_EQ(values[1], rank.size() * (rank.size() - 1) / 2);
        }
    });
}

TEST_P(Ranks, TheErrorOfOneEndsAllAndIsTheOneThrown) {
    std::atomic<int> ended = 0;
    const auto job = [&](Communicator& rank) {
        const struct Count {
            std::atomic<int>& ended;
            ~Count() { ++ended; }
        } count{ended};
        double value = 1;
        rank.all_reduce_sum(std::span(&value, 1));
        if (rank.rank() == rank.size() - 1) {
            throw InputError("the last rank has a bad file");
        }
        rank.all_reduce_sum(std::span(&value, 1));
    };
    test::expect_error<InputError>([&] { run(job); }, {"the last rank has a bad file"});
    EXPECT_EQ(ended, GetParam());
}

INSTANTIATE_TEST_SUITE_P(, Ranks, ::testing::Values(1, 2, 3, 5));

TEST(RanksOfOneProcess, SizesThatDifferAreRefused) {
    const auto ranks = make_cpu_communicators(3);
    const auto job = [](Communicator& rank) {
        const auto backend = make_cpu_backend(1);
        Array array = test::random_array(*backend, {{"n", rank.rank() == 1 ? 4 : 6}}, Precision::single, 1);
        rank.all_reduce_sum(array);
    };
    test::expect_error<ShapeError>([&] { run_ranks(ranks, job); }, {"4", "6"});
}

TEST(RanksOfOneProcess, TheFirstOneAloneLogs) {
    const auto ranks = make_cpu_communicators(3);
    Log log;
    const LogBinding bound(&log);
    run_ranks(ranks, [](Communicator& rank) { log_info("a line of a test, by rank {}", rank.rank()); });
    std::vector<std::string> lines;
    for (const std::string& line : log.history()) {
        if (line.find("a line of a test") != std::string::npos) {
            lines.push_back(line);
        }
    }
    ASSERT_EQ(lines.size(), 1U);
    EXPECT_NE(lines.front().find("rank 0"), std::string::npos);
}

}  // namespace
}  // namespace recon
