#pragma once

#include <memory>
#include <vector>

#include "core/parallel/communicator.hpp"

namespace recon {

/// Ranks that are threads of this process, each with a CPU backend: what several devices do, on one.
std::vector<std::unique_ptr<Communicator>> make_cpu_communicators(int size);

}  // namespace recon
