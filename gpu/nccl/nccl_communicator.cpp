// Mirrors core/parallel/cpu_communicator.cpp.
#include <fmt/format.h>

#include <memory>
#include <mutex>
#include <utility>

#include "core/parallel/rank_meeting.hpp"
#include "gpu/backend/cuda_backend.cuh"
#include "gpu/nccl/gpu_communicator.hpp"
#include "gpu/nccl/nccl_connection.cuh"

namespace recon {
namespace {

/// What the ranks of one process share.
struct NcclGroup {
    explicit NcclGroup(std::shared_ptr<NcclConnection> devices)
        : meeting(static_cast<int>(devices->ordinals().size())), connection(std::move(devices)) {}

    RankMeeting meeting;
    std::shared_ptr<NcclConnection> connection;
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
        NcclHandle& handle = group_->connection->handle(rank_);
        const cudaStream_t stream = backend_.queue().stream();
        group_->meeting.exchange(rank_, {array.address(), array.size()});
        handle.queue_sum(array, rank_, size(), backend_.name(), stream);
        group_->meeting.wait();
    }

    void all_reduce_sum(std::span<double> values) override { group_->meeting.sum(rank_, values); }
    void broadcast(std::span<std::byte> bytes) override { group_->meeting.broadcast(rank_, bytes); }

    void abort() noexcept override {
        group_->meeting.abort();
        group_->connection->abort();
    }

private:
    std::shared_ptr<NcclGroup> group_;
    CudaBackend& backend_;
    int rank_;
};

/// The connection that was begun before there were backends.
class ConnectionAhead {
public:
    std::shared_ptr<NcclConnection> begin(std::vector<int> ordinals) {
        const std::lock_guard lock(mutex_);
        const auto connection =
            std::make_shared<NcclConnection>(std::move(ordinals), NcclConnection::Outlives::process);
        begun_ = connection;
        return connection;
    }
    /// That one, if it is of these devices; else a new one.
    std::shared_ptr<NcclConnection> take(const std::vector<int>& ordinals) {
        const std::lock_guard lock(mutex_);
        const std::shared_ptr<NcclConnection> begun = std::exchange(begun_, {}).lock();
        return begun && begun->ordinals() == ordinals
                   ? begun
                   : std::make_shared<NcclConnection>(ordinals, NcclConnection::Outlives::nothing);
    }

private:
    std::mutex mutex_;
    std::weak_ptr<NcclConnection> begun_;
};

ConnectionAhead& connection_ahead() {
    static ConnectionAhead connection;
    return connection;
}

/// Ranks decide alike because equal devices compute alike.
void require_one_kind(const std::vector<CudaBackend*>& gpus) {
    const std::string first = gpus.front()->queue().properties().name;
    for (CudaBackend* gpu : gpus) {
        const std::string other = gpu->queue().properties().name;
        if (other != first) {
            throw BackendUnavailable(fmt::format("{} is {}, {} is {}", gpus.front()->name(), first, gpu->name(), other),
                                     "several GPUs must be of one kind: name those with `device` cuda:M,N");
        }
    }
}

}  // namespace

std::shared_ptr<void> connect_gpus_ahead(std::span<const int> ordinals) {
    return connection_ahead().begin({ordinals.begin(), ordinals.end()});
}

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
    const auto group = std::make_shared<NcclGroup>(connection_ahead().take(ordinals));
    group->connection->require_no_failure();
    std::vector<std::unique_ptr<Communicator>> ranks;
    for (std::size_t rank = 0; rank < gpus.size(); ++rank) {
        ranks.push_back(std::make_unique<NcclCommunicator>(group, *gpus[rank], static_cast<int>(rank)));
    }
    return ranks;
}

}  // namespace recon
