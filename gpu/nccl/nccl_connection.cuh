#pragma once

#include <future>
#include <memory>
#include <vector>

#include "gpu/nccl/nccl_handle.cuh"

namespace recon {

/// Devices of this process that NCCL connects in a thread of its own; whoever asks for a handle waits for it.
class NcclConnection {
public:
    /// Who destroys it takes .2 s a device for that, which the end of the process does not.
    enum class Outlives { nothing, process };

    NcclConnection(std::vector<int> ordinals, Outlives outlives);
    ~NcclConnection();
    NcclConnection(const NcclConnection&) = delete;
    NcclConnection& operator=(const NcclConnection&) = delete;

    const std::vector<int>& ordinals() const { return ordinals_; }
    /// @throws BackendUnavailable without NCCL's library; DeviceError
    NcclHandle& handle(int rank) { return *handles_.get().at(static_cast<std::size_t>(rank)); }
    /// Throws what has gone wrong by now.
    void require_no_failure() const;
    /// Waits for the connection, as NCCL knows no way to give up making one.
    void abort() noexcept;

private:
    using Handles = std::vector<std::unique_ptr<NcclHandle>>;

    std::vector<int> ordinals_;
    Outlives outlives_;
    std::shared_future<Handles> handles_;
};

}  // namespace recon
