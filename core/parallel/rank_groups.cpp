#include "core/parallel/rank_groups.hpp"

#include <fmt/format.h>

namespace recon {

int RankGroups::group_of(int rank) const {
    int group = 0;
    while (rank >= ranks_of(group).first + ranks_of(group).count) {
        ++group;
    }
    return group;
}

std::string RankGroups::text() const {
    if (!is_nested()) {
        return fmt::format("{} rank{}", rank_count,
                           rank_count == 1    ? ""
                           : group_count == 1 ? "s"
                                              : "s, each with frames of its own");
    }
    const Index least = ranks_of(group_count - 1).count;
    const std::string sizes =
        least == most_ranks() ? std::to_string(least) : fmt::format("{} to {}", least, most_ranks());
    return fmt::format("{} ranks in {} groups of {}", rank_count, group_count, sizes);
}

}  // namespace recon
