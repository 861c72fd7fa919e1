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

/// As make_process_communicator, of processes with a CUDA backend each that outlives it. All processes of the group
/// call it. @throws as above; RanksAborted
std::unique_ptr<Communicator> make_gpu_communicator(ProcessGroup& group, const Share& ranks, Backend& backend);

}  // namespace recon
