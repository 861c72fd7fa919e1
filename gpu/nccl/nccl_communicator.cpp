// Mirrors core/parallel/cpu_communicator.cpp.
#include <fmt/format.h>
#include <nccl.h>

#include <mutex>

#include "core/base/log.hpp"
#include "core/parallel/rank_meeting.hpp"
#include "gpu/backend/cuda_backend.cuh"
#include "gpu/nccl/gpu_communicator.hpp"

namespace recon {
namespace {

std::string text_of(ncclResult_t status, ncclComm_t communicator) {
    return fmt::format("NCCL: {} ({})", ncclGetErrorString(status), ncclGetLastError(communicator));
}

void check(ncclResult_t status, ncclComm_t communicator, const std::string& device) {
    if (status != ncclSuccess) {
        throw DeviceError(device + ": " + text_of(status, communicator));
    }
}

/// One rank's handle. The thread that aborts is not the one that reduces: hence the lock.
class NcclHandle {
public:
    explicit NcclHandle(ncclComm_t handle) : handle_(handle) {}
    ~NcclHandle() { release(ncclCommDestroy); }
    NcclHandle(const NcclHandle&) = delete;
    NcclHandle& operator=(const NcclHandle&) = delete;

    /// @throws RanksAborted once aborted
    template <class Function>
    void use(Function&& function) {
        const std::lock_guard lock(mutex_);
        if (!handle_) {
            throw RanksAborted();
        }
        function(handle_);
    }
    void abort() noexcept { release(ncclCommAbort); }

private:
    void release(ncclResult_t (*how)(ncclComm_t)) noexcept {
        const std::lock_guard lock(mutex_);
        if (handle_ && how(handle_) != ncclSuccess) {
            log_warning("NCCL: a communicator could not be released");
        }
        handle_ = nullptr;
    }

    std::mutex mutex_;
    ncclComm_t handle_;
};

/// What the ranks of one process share.
struct NcclGroup {
    explicit NcclGroup(int size) : meeting(size) {}

    RankMeeting meeting;
    std::vector<std::unique_ptr<NcclHandle>> handles;
};

class NcclCommunicator final : public Communicator {
public:
    NcclCommunicator(std::shared_ptr<NcclGroup> group, CudaBackend& backend, int rank)
        : group_(std::move(group)), backend_(backend), rank_(rank) {}

    int rank() const override { return rank_; }
    int size() const override { return group_->meeting.size(); }

    /// The ranks meet before they queue their parts, so that none waits on its device for one that has failed, and
    /// after it, so that none makes a call that stops devices (to load a kernel, say) while others cannot queue.
    void all_reduce_sum(ArrayView array) override {
        backend_.require_here("array to reduce", array, array.precision());
        const cudaStream_t stream = backend_.queue().stream();
        group_->meeting.exchange(rank_, {array.address(), array.size()});
        group_->handles[rank_]->use([&](ncclComm_t handle) {
            with_precision(array.precision(), [&](auto tag) {
                using T = decltype(tag);
                queue_sum(reinterpret_cast<T*>(array.data<T>()), 2 * array.size(),
                          sizeof(T) == sizeof(float) ? ncclFloat32 : ncclFloat64, handle, stream);
            });
        });
        group_->meeting.wait();
    }

    void all_reduce_sum(std::span<double> values) override { group_->meeting.sum(rank_, values); }

    void abort() noexcept override {
        group_->meeting.abort();
        for (const auto& handle : group_->handles) {
            handle->abort();
        }
    }

private:
    /// Every number is added up by one rank, which gives the sum to the others: equal bits on all ranks whatever way
    /// NCCL takes, which ncclAllReduce does not promise.
    template <class T>
    void queue_sum(T* numbers, Index count, ncclDataType_t type, ncclComm_t handle, cudaStream_t stream) const {
        constexpr Index alignment = 16 / sizeof(T);
        const Index each = count / size() / alignment * alignment;
        const Index remainder = count - each * size();
        T* const mine = numbers + rank_ * each;
        T* const last = numbers + size() * each;
        if (each > 0) {
            require(ncclReduceScatter(numbers, mine, each, type, ncclSum, handle, stream), handle);
            require(ncclAllGather(mine, numbers, each, type, handle, stream), handle);
        }
        if (remainder > 0) {
            require(ncclReduce(last, last, remainder, type, ncclSum, 0, handle, stream), handle);
            require(ncclBroadcast(last, last, remainder, type, 0, handle, stream), handle);
        }
    }
    void require(ncclResult_t status, ncclComm_t handle) const { check(status, handle, backend_.name()); }

    std::shared_ptr<NcclGroup> group_;
    CudaBackend& backend_;
    int rank_;
};

/// Ranks decide alike because equal devices compute alike.
void require_one_kind(const std::vector<CudaBackend*>& gpus) {
    const std::string first = gpus.front()->queue().properties().name;
    for (CudaBackend* gpu : gpus) {
        const std::string other = gpu->queue().properties().name;
        if (other != first) {
            throw BackendUnavailable(
                fmt::format("{} is {}, {} is {}; several GPUs must be of one kind: name those with `device` cuda:M,N",
                            gpus.front()->name(), first, gpu->name(), other));
        }
    }
}

}  // namespace

std::vector<std::unique_ptr<Communicator>> make_gpu_communicators(
    const std::vector<std::unique_ptr<Backend>>& backends) {
    std::vector<CudaBackend*> gpus;
    std::vector<int> ordinals;
    for (const auto& backend : backends) {
        gpus.push_back(&dynamic_cast<CudaBackend&>(*backend));
        ordinals.push_back(gpus.back()->queue().ordinal());
    }
    require_one_kind(gpus);
    for (CudaBackend* gpu : gpus) {
        gpu->queue().open_memory_to(ordinals);  // NCCL writes from device to device
    }
    std::vector<ncclComm_t> handles(gpus.size());
    check(ncclCommInitAll(handles.data(), static_cast<int>(gpus.size()), ordinals.data()), nullptr,
          "connecting the GPUs");
    const auto group = std::make_shared<NcclGroup>(static_cast<int>(gpus.size()));
    for (const ncclComm_t handle : handles) {
        group->handles.push_back(std::make_unique<NcclHandle>(handle));
    }
    std::vector<std::unique_ptr<Communicator>> ranks;
    for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
        ranks.push_back(std::make_unique<NcclCommunicator>(group, *gpus[rank], static_cast<int>(rank)));
    }
    return ranks;
}

}  // namespace recon
