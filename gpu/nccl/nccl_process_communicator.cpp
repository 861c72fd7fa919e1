// Mirrors core/processes/process_communicator.cpp.
#include <fmt/format.h>

#include "core/base/error.hpp"
#include "core/processes/process_communicator.hpp"
#include "core/processes/process_group.hpp"
#include "gpu/backend/cuda_backend.cuh"
#include "gpu/nccl/gpu_communicator.hpp"
#include "gpu/nccl/nccl_handle.cuh"

namespace recon {
namespace {

/// Arrays go from GPU to GPU by NCCL, all else by the messages of the processes.
class NcclProcessCommunicator final : public Communicator {
public:
    NcclProcessCommunicator(std::unique_ptr<Communicator> host, CudaBackend& backend, ncclComm_t handle)
        : host_(std::move(host)), backend_(backend), handle_(handle) {}

    int rank() const override { return host_->rank(); }
    int size() const override { return host_->size(); }
    bool in_one_process() const override { return false; }

    /// The ranks meet before they queue their parts, so that none waits on its device for one that has failed.
    void all_reduce_sum(ArrayView array) override {
        backend_.require_here("array to reduce", array, array.precision());
        if (host_->sum(static_cast<double>(array.size())) != static_cast<double>(size()) * array.size()) {
            throw ShapeError(fmt::format("ranks meet with {} numbers and with others, expected as many", array.size()));
        }
        handle_.queue_sum(array, rank(), size(), backend_.name(), backend_.queue().stream());
    }
    void all_reduce_sum(std::span<double> values) override { host_->all_reduce_sum(values); }
    void broadcast(std::span<std::byte> bytes) override { host_->broadcast(bytes); }

    void abort() noexcept override {
        host_->abort();
        handle_.abort();
    }

private:
    std::unique_ptr<Communicator> host_;
    CudaBackend& backend_;
    NcclHandle handle_;
};

/// Ranks decide alike because equal devices compute alike.
void require_one_kind_of_all(ProcessGroup& group, CudaBackend& gpu) {
    const std::string own = gpu.queue().properties().name;
    const std::string first = group.text_of_root(own);
    if (own != first) {
        throw BackendUnavailable(
            fmt::format("rank {} (of {}) has a {}, rank 0 a {}", group.rank(), group.place().host, own, first),
            "the GPUs of one run must be of one kind");
    }
}

}  // namespace

std::unique_ptr<Communicator> make_gpu_communicator(ProcessGroup& group, const Share& ranks, Backend& backend) {
    auto& gpu = dynamic_cast<CudaBackend&>(backend);
    require_one_kind_of_all(group, gpu);
    std::unique_ptr<Communicator> host = make_process_communicator(group, ranks);
    if (host->size() == 1) {
        return host;
    }
    ncclUniqueId id{};
    if (host->rank() == 0) {
        check_nccl(ncclGetUniqueId(&id), nullptr, gpu.name());
    }
    host->broadcast(std::as_writable_bytes(std::span(&id, 1)));
    ncclComm_t handle = nullptr;
    check_nccl(ncclCommInitRank(&handle, host->size(), id, host->rank()), nullptr, "connecting the GPUs");
    return std::make_unique<NcclProcessCommunicator>(std::move(host), gpu, handle);
}

}  // namespace recon
