#include "app/reconstruction/problem/cached_q.hpp"

#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "core/parallel/division.hpp"
#include "core/parallel/run_ranks.hpp"
#include "tests/support/backends.hpp"
#include "tests/support/cpu_team.hpp"
#include "tests/support/random.hpp"
#include "tests/support/temporary_folder.hpp"

namespace recon {
namespace {

constexpr PerAxis<Index> matrix_size{7, 6, 5};
constexpr Index sample_count = 301;

SumsOptions options_with(double tolerance) { return {SumsMethod::nufft, tolerance, Precision::double_}; }

/// As if computing took an hour, so that the cache pays.
SumsChoice slow_choice(const Backend& backend, PerAxis<Index> matrix, const SumsOptions& options) {
    SumsChoice choice = choose_q_sums(backend, sample_count, matrix, options);
    choice.seconds = 3600;
    return choice;
}

class CachedQTest : public test::EveryBackend {
protected:
    Index file_count() const {
        return std::distance(std::filesystem::directory_iterator(folder.path()), std::filesystem::directory_iterator());
    }
    CachedQ q(const Trajectory& of, std::span<const double> weights, double tolerance = 1e-9,
              PerAxis<Index> matrix = matrix_size) {
        const SumsOptions options = options_with(tolerance);
        return cached_q(cache, *backend_, of, matrix, weights, slow_choice(*backend_, matrix, options), options,
                        only_rank());
    }

    test::TemporaryFolder folder;
    DiskCacheOptions cache{folder.path(), 100'000'000};
    Trajectory trajectory = test::random_trajectory(sample_count, matrix_size, 5);
    std::vector<double> weights = std::vector<double>(sample_count, 0.5);
};

TEST_P(CachedQTest, IsTheSameToTheLastBitComputedStoredAndRead) {
    cache.folder.clear();
    const CachedQ computed = q(trajectory, weights);
    EXPECT_EQ(computed.origin, QOrigin::computed);
    cache.folder = folder.path();
    const CachedQ stored = q(trajectory, weights);
    EXPECT_EQ(stored.origin, QOrigin::stored);
    const CachedQ read = q(trajectory, weights);
    EXPECT_EQ(read.origin, QOrigin::read);
    const std::vector<cdouble> expected = download<double>(computed.q);
    EXPECT_EQ(download<double>(stored.q), expected);
    EXPECT_EQ(download<double>(read.q), expected);
}

TEST_P(CachedQTest, EverythingThatQDependsOnIsInTheKey) {
    q(trajectory, weights);
    ASSERT_EQ(file_count(), 1);
    const auto expect_new = [&](const char* what, const CachedQ& other) {
        EXPECT_EQ(other.origin, QOrigin::stored) << what;
    };
    Trajectory moved = trajectory;
    moved.k[2][300] = std::nextafter(moved.k[2][300], 10.0);
    expect_new("the last bit of a position", q(moved, weights));
    Trajectory swapped = trajectory;
    std::swap(swapped.k[0], swapped.k[1]);
    expect_new("x and y exchanged", q(swapped, weights));
    std::vector<double> other_weights = weights;
    other_weights[17] = 0;
    expect_new("a weight", q(trajectory, other_weights));
    expect_new("no weights", q(trajectory, {}));
    expect_new("the matrix", q(trajectory, weights, 1e-9, {6, 7, 5}));
    expect_new("the tolerance", q(trajectory, weights, 1e-7));
    SumsOptions exact = options_with(1e-9);
    exact.method = SumsMethod::exact;
    expect_new("the method", cached_q(cache, *backend_, trajectory, matrix_size, weights,
                                      slow_choice(*backend_, matrix_size, exact), exact, only_rank()));
    EXPECT_EQ(file_count(), 8);
    EXPECT_EQ(q(trajectory, weights).origin, QOrigin::read) << "and the first is still there";
}

TEST_P(CachedQTest, ADamagedEntryIsComputedAgain) {
    const std::vector<cdouble> expected = download<double>(q(trajectory, weights).q);
    const std::filesystem::path entry = std::filesystem::directory_iterator(folder.path())->path();
    {
        std::fstream file(entry, std::ios::in | std::ios::out | std::ios::binary);
        file.seekp(1000);
        file << "wrong";
    }
    const CachedQ again = q(trajectory, weights);
    EXPECT_EQ(again.origin, QOrigin::stored);
    EXPECT_EQ(download<double>(again.q), expected);
    EXPECT_EQ(q(trajectory, weights).origin, QOrigin::read);
}

TEST_P(CachedQTest, WhatIsComputedFasterThanReadIsNotKept) {
    const SumsOptions options = options_with(1e-9);
    SumsChoice choice = slow_choice(*backend_, matrix_size, options);
    const Shape half = half_of_differences(matrix_size).shape;
    choice.seconds = 0.5 * predicted_cache_seconds(half.element_count() * sizeof(cdouble));
    const CachedQ fast = cached_q(cache, *backend_, trajectory, matrix_size, weights, choice, options, only_rank());
    EXPECT_EQ(fast.origin, QOrigin::computed);
    EXPECT_EQ(file_count(), 0);
}

INSTANTIATE_TEST_SUITE_P(, CachedQTest, test::every_backend(), test::backend_name);

TEST(CachedQOnRanks, AllRanksGetWhatTheFirstOneReads) {
    const test::TemporaryFolder folder;
    const DiskCacheOptions cache{folder.path(), 100'000'000};
    const auto trajectory = std::make_shared<const Trajectory>(test::random_trajectory(sample_count, matrix_size, 5));
    const SumsOptions options = options_with(1e-9);
    const auto on_ranks = [&](int count, QOrigin expected) {
        const Team team = test::cpu_team(count);
        std::vector<std::vector<cdouble>> q(static_cast<std::size_t>(count));
        run_ranks(team.ranks, [&](Communicator& rank) {
            Backend& backend = team.backend_of(rank);
            const auto own = part_of(trajectory, share_of(sample_count, rank));
            const CachedQ result = cached_q(cache, backend, *own, matrix_size, {},
                                            slow_choice(backend, matrix_size, options), options, rank);
            EXPECT_EQ(result.origin, expected) << count << " ranks";
            q[static_cast<std::size_t>(rank.rank())] = download<double>(result.q);
        });
        for (const std::vector<cdouble>& of_rank : q) {
            EXPECT_EQ(of_rank, q.front());
        }
        return q.front();
    };
    const std::vector<cdouble> stored = on_ranks(3, QOrigin::stored);
    EXPECT_EQ(on_ranks(3, QOrigin::read), stored);
    on_ranks(2, QOrigin::stored);  // their sums round otherwise
    EXPECT_EQ(on_ranks(3, QOrigin::read), stored);
}

}  // namespace
}  // namespace recon
