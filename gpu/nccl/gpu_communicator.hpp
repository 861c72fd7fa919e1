#pragma once

#include <memory>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

class ProcessGroup;

/// One rank for each of several CUDA backends of this process, in their order; the backends must outlive them.
/// @throws BackendUnavailable if the build has no NCCL, or the devices are not of one kind
std::vector<std::unique_ptr<Communicator>> make_gpu_communicators(
    const std::vector<std::unique_ptr<Backend>>& backends);

/// The rank of this process, with a CUDA backend that outlives it, of all processes of a group: each calls it.
/// @throws as above; RanksAborted
std::unique_ptr<Communicator> make_gpu_communicator(ProcessGroup& group, Backend& backend);

}  // namespace recon
