#include "app/reconstruction/frames/frame_division.hpp"

#include <gtest/gtest.h>

#include <utility>

#include "core/base/error.hpp"
#include "core/base/memory_budget.hpp"
#include "tests/support/error_matchers.hpp"
#include "tests/support/scans/scan_in_parts.hpp"

namespace recon {
namespace {

Scan series(Index frames, Index coils) {
    return test::scan_in_parts(test::sample_scan({.coils = coils, .frames = frames}));
}

int groups_of(Index frames, Index coils, int ranks, RankDivision divide = RankDivision::automatic,
              std::size_t bytes = MemoryBudget::unlimited, PartialImage partial = PartialImage::discard) {
    ReconstructOptions options;
    options.divide = divide;
    return divide_ranks(series(frames, coils), ranks, options, bytes, partial).group_count;
}

TEST(FrameDivision, TakesFramesWhereTheyGoUpAndGroupsWhereRanksWouldBeIdle) {
    EXPECT_EQ(groups_of(1, 8, 4), 1);
    EXPECT_EQ(groups_of(5, 8, 5), 5);
    EXPECT_EQ(groups_of(64, 8, 8), 8);
    EXPECT_EQ(groups_of(3, 8, 8), 3) << "groups of 3, 3 and 2, rather than five idle ranks, or eight on each frame";
    EXPECT_EQ(groups_of(2, 32, 8), 2);
    EXPECT_EQ(groups_of(2, 8, 5), 2);
    EXPECT_EQ(groups_of(3, 1, 4), 4) << "coils that cannot be shared out gain nothing";
}

TEST(FrameDivision, DoesAsItIsTold) {
    EXPECT_EQ(groups_of(5, 8, 5, RankDivision::coils), 1);
    EXPECT_EQ(groups_of(2, 8, 5, RankDivision::frames), 5);
    EXPECT_EQ(groups_of(64, 8, 8, RankDivision::frames_and_coils), 4);
    EXPECT_EQ(groups_of(2, 8, 5, RankDivision::frames_and_coils), 2);
}

TEST(FrameDivision, RefusesWhatCannotBeDividedTwice) {
    for (const auto& [frames, ranks] : {std::pair<Index, int>{1, 4}, {6, 3}}) {
        test::expect_error<UsageError>([&] { groups_of(frames, 8, ranks, RankDivision::frames_and_coils); },
                                       {"frames,coils", "four ranks and two frames"});
    }
}

TEST(FrameDivision, FormsNoGroupsWherePartialImagesAreKept) {
    constexpr std::size_t all = MemoryBudget::unlimited;
    EXPECT_EQ(groups_of(3, 8, 8, RankDivision::automatic, all, PartialImage::keep), 1);
    EXPECT_EQ(groups_of(8, 8, 8, RankDivision::automatic, all, PartialImage::keep), 8);
    test::expect_error<UsageError>([&] { groups_of(3, 8, 8, RankDivision::frames_and_coils, all, PartialImage::keep); },
                                   {"keep_partial"});
}

/// The k-space and the maps of 64 coils take more than all else.
TEST(FrameDivision, DividesCoilsWhereARankCannotHoldThem) {
    constexpr Index coils = 64;
    const Index numbers_of_coil = 4 * 7 + 6 * 5 * 3;
    const auto all_coils = static_cast<std::size_t>(coils * numbers_of_coil) * sizeof(cfloat);
    EXPECT_EQ(groups_of(4, coils, 4), 4);
    EXPECT_LT(groups_of(4, coils, 4, RankDivision::automatic, all_coils), 4);
    EXPECT_EQ(groups_of(4, coils, 4, RankDivision::automatic, 1), 1);
}

TEST(FrameDivision, GroupsAreDoneAboutAtOnce) {
    using Frames = std::vector<std::vector<std::size_t>>;
    EXPECT_EQ(frames_of_groups(series(5, 8), {.rank_count = 4, .group_count = 2}), (Frames{{0, 1, 2}, {3, 4}}));
    EXPECT_EQ(frames_of_groups(series(5, 8), {.rank_count = 4, .group_count = 3}), (Frames{{0, 1, 2}, {3}, {4}}))
        << "two ranks on a frame against one and one";
    EXPECT_EQ(frames_of_groups(series(3, 8), {.rank_count = 8, .group_count = 3}), (Frames{{0}, {1}, {2}}));
    EXPECT_EQ(frames_of_groups(series(7, 1), {.rank_count = 5, .group_count = 5}),
              (Frames{{0, 1}, {2, 3}, {4}, {5}, {6}}));
    EXPECT_EQ(frames_of_groups(series(1, 1), {.rank_count = 3, .group_count = 3}), (Frames{{0}, {}, {}}));
    EXPECT_EQ(frames_of_groups(series(2, 1), {.rank_count = 1, .group_count = 1}), (Frames{{0, 1}}));
}

}  // namespace
}  // namespace recon
