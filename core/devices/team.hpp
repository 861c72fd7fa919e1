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

    static Team of_one(std::unique_ptr<Backend> backend);

    Backend& first() const { return *backends.front(); }
    Backend& backend_of(const Communicator& rank) const { return *backends.at(rank.rank()); }
    std::string name() const;  ///< as on the command line: "cpu", "cuda:0,1"
};

}  // namespace recon
