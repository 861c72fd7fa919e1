#pragma once

#include <nccl.h>

#include <mutex>
#include <string>

#include "core/backend/array.hpp"

namespace recon {

/// @throws DeviceError with NCCL's words
void check_nccl(ncclResult_t status, ncclComm_t communicator, const std::string& device);

/// One rank's handle. The thread that aborts is not the one that reduces: hence the lock.
class NcclHandle {
public:
    explicit NcclHandle(ncclComm_t handle) : handle_(handle) {}
    ~NcclHandle() { release(ncclCommDestroy); }
    NcclHandle(const NcclHandle&) = delete;
    NcclHandle& operator=(const NcclHandle&) = delete;

    /// array = sum of the ranks' arrays, on the stream. Every number is added up by one rank, which gives the sum to
    /// the others: equal bits on all ranks whatever way NCCL takes, which ncclAllReduce does not promise.
    /// @throws RanksAborted once aborted; DeviceError
    void queue_sum(ArrayView array, int rank, int size, const std::string& device, cudaStream_t stream);
    void abort() noexcept { release(ncclCommAbort); }
    /// To the end of the process.
    void leave() noexcept {
        release([](ncclComm_t) { return ncclSuccess; });
    }

private:
    template <class T>
    void queue_sum_of(T* numbers, Index count, ncclDataType_t type, int rank, int size, const std::string& device,
                      cudaStream_t stream) const;
    void release(ncclResult_t (*how)(ncclComm_t)) noexcept;

    std::mutex mutex_;
    ncclComm_t handle_;
};

}  // namespace recon
