#pragma once

#include <memory>
#include <string>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

/// The devices that reconstruct together, a rank each.
struct Team {
    std::vector<std::unique_ptr<Backend>> backends;
    std::vector<std::unique_ptr<Communicator>> ranks;

    Backend& first() const { return *backends.front(); }
    Backend& backend_of(const Communicator& rank) const { return *backends.at(rank.rank()); }
    std::string name() const;  ///< as on the command line: "cpu", "cuda:0,1"
};

/// "cuda:all" (every GPU of the host), "cuda:0,2,3", or one device as make_backend takes it.
/// @throws UsageError for any other name or a device named twice, BackendUnavailable if a device is not there, or those
/// named cannot work together
Team make_team(const std::string& device, int thread_count);

}  // namespace recon
