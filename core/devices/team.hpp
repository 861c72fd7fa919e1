#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/parallel/communicator.hpp"
#include "core/parallel/rank_groups.hpp"

namespace recon {

class ProcessGroup;

/// The devices that reconstruct frames together, a rank each: all of them, or, where each rank is a process, this
/// one's.
struct Team {
    std::vector<std::unique_ptr<Backend>> backends;
    std::vector<std::unique_ptr<Communicator>> ranks;

    ProcessGroup* processes = nullptr;  ///< whose ranks they are; null: of this process alone. Outlives the team
    RankGroups groups;                  ///< of the processes; the ranks above are those of this one's

    static Team of_one(std::unique_ptr<Backend> backend);

    Backend& first() const { return *backends.front(); }
    Backend& backend_of(const Communicator& rank) const {
        return rank.in_one_process() ? *backends.at(rank.rank()) : first();
    }
    int rank_count() const { return ranks.front()->size(); }
    int group() const;         ///< of this process, by number
    std::string name() const;  ///< as on the command line: "cpu", "cuda:0,1"
};

}  // namespace recon
