#include "gpu/nccl/nccl_handle.cuh"

#include <fmt/format.h>

#include "core/base/log.hpp"
#include "core/parallel/rank_meeting.hpp"
#include "gpu/device/device_failure.hpp"

namespace recon {

void check_nccl(ncclResult_t status, ncclComm_t communicator, const std::string& device) {
    if (status != ncclSuccess) {
        throw error_of_device(device,
                              fmt::format("NCCL: {} ({})", ncclGetErrorString(status), ncclGetLastError(communicator)));
    }
}

void NcclHandle::queue_sum(ArrayView array, int rank, int size, const std::string& device, cudaStream_t stream) {
    const std::lock_guard lock(mutex_);
    if (!handle_) {
        throw RanksAborted();
    }
    with_precision(array.precision(), [&](auto tag) {
        using T = decltype(tag);
        queue_sum_of(reinterpret_cast<T*>(array.data<T>()), 2 * array.size(),
                     sizeof(T) == sizeof(float) ? ncclFloat32 : ncclFloat64, rank, size, device, stream);
    });
}

template <class T>
void NcclHandle::queue_sum_of(T* numbers, Index count, ncclDataType_t type, int rank, int size,
                              const std::string& device, cudaStream_t stream) const {
    constexpr Index alignment = 16 / sizeof(T);
    const Index each = count / size / alignment * alignment;
    const Index remainder = count - each * size;
    T* const mine = numbers + rank * each;
    T* const last = numbers + size * each;
    const auto require = [&](ncclResult_t status) { check_nccl(status, handle_, device); };
    if (each > 0) {
        require(ncclReduceScatter(numbers, mine, each, type, ncclSum, handle_, stream));
        require(ncclAllGather(mine, numbers, each, type, handle_, stream));
    }
    if (remainder > 0) {
        require(ncclReduce(last, last, remainder, type, ncclSum, 0, handle_, stream));
        require(ncclBroadcast(last, last, remainder, type, 0, handle_, stream));
    }
}

void NcclHandle::release(ncclResult_t (*how)(ncclComm_t)) noexcept {
    const std::lock_guard lock(mutex_);
    if (handle_ && how(handle_) != ncclSuccess) {
        log_warning("NCCL: a communicator could not be released");
    }
    handle_ = nullptr;
}

}  // namespace recon
