#pragma once

#include <functional>
#include <memory>
#include <vector>

#include "core/parallel/communicator.hpp"

namespace recon {

/// Runs `job` for every rank at once, each on a thread of its own with its share of the cores; a single rank runs on
/// the calling thread. Ranks other than 0 do not log. When a rank fails the others are ended.
/// @throws what the first rank to fail threw
void run_ranks(const std::vector<std::unique_ptr<Communicator>>& ranks, const std::function<void(Communicator&)>& job);

}  // namespace recon
