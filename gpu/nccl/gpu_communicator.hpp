#pragma once

#include <memory>
#include <span>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

class ProcessGroup;

/// Begins to connect these devices in a thread of its own, for the next `make_gpu_communicators` of the same ones: that
/// takes most of a second, which reading and checking a scan may as well use. What goes wrong is told there. For
/// programs that end soon after: the connection itself stays as long as the process.
/// @return what keeps the connection until then
std::shared_ptr<void> connect_gpus_ahead(std::span<const int> ordinals);

/// One rank for each of several CUDA backends of this process, in their order; the backends must outlive them.
/// The devices are connected in a thread beside, and what goes wrong there the first sum of arrays throws: DeviceError.
/// @throws BackendUnavailable if the build has no NCCL, or the devices are not of one kind
std::vector<std::unique_ptr<Communicator>> make_gpu_communicators(
    const std::vector<std::unique_ptr<Backend>>& backends);

/// As make_process_communicator, of processes with a CUDA backend each that outlives it. All processes of the group
/// call it. @throws as above; RanksAborted
std::unique_ptr<Communicator> make_gpu_communicator(ProcessGroup& group, const Share& ranks, Backend& backend);

}  // namespace recon
