#include "core/parallel/rank_groups.hpp"

#include <gtest/gtest.h>

namespace recon {
namespace {

TEST(RankGroups, AreConsecutiveAndTheLargerOnesFirst) {
    const RankGroups groups{.rank_count = 8, .group_count = 3};
    const int expected[] = {0, 0, 0, 1, 1, 1, 2, 2};
    for (int rank = 0; rank < 8; ++rank) {
        EXPECT_EQ(groups.group_of(rank), expected[rank]) << rank;
    }
    EXPECT_EQ(groups.most_ranks(), 3);
    EXPECT_EQ(groups.ranks_of(2).first, 6);
}

TEST(RankGroups, SayHowTheyAreFormed) {
    EXPECT_EQ(RankGroups(1, 1).text(), "1 rank");
    EXPECT_EQ(RankGroups(3, 1).text(), "3 ranks");
    EXPECT_EQ(RankGroups(3, 3).text(), "3 ranks, each with frames of its own");
    EXPECT_EQ(RankGroups(4, 2).text(), "4 ranks in 2 groups of 2");
    EXPECT_EQ(RankGroups(5, 2).text(), "5 ranks in 2 groups of 2 to 3");
}

}  // namespace
}  // namespace recon
