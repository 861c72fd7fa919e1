#pragma once

#include <string>

#include "core/parallel/share.hpp"

namespace recon {

/// Consecutive ranks in groups, which differ by one rank at most, the larger ones first: each group takes frames of a
/// series to itself, and its ranks divide the coils of those. One group: coils alone are divided; a group a rank:
/// frames alone. Launchers number the ranks of a host one after the other, so that a group has few hosts.
struct RankGroups {
    int rank_count = 1;
    int group_count = 1;

    Share ranks_of(int group) const { return share_of(rank_count, group, group_count); }
    int group_of(int rank) const;
    /// Of the first group, which has the most.
    int most_ranks() const { return static_cast<int>(ranks_of(0).count); }
    bool is_nested() const { return group_count > 1 && group_count < rank_count; }
    /// "1 rank", "4 ranks", "4 ranks, each with frames of its own" or "5 ranks in 2 groups of 2 to 3"
    std::string text() const;

    friend bool operator==(const RankGroups&, const RankGroups&) = default;
};

}  // namespace recon
