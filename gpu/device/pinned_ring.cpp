#include "gpu/device/pinned_ring.cuh"

#include <algorithm>
#include <cstring>

namespace recon {
namespace {

void copy_by_threads(const std::byte* from, std::byte* to, std::size_t bytes) {
    constexpr std::size_t run = std::size_t{1} << 18;
    const auto run_count = static_cast<std::ptrdiff_t>((bytes + run - 1) / run);
#pragma omp parallel for schedule(static)
    for (std::ptrdiff_t i = 0; i < run_count; ++i) {
        const std::size_t first = static_cast<std::size_t>(i) * run;
        std::memcpy(to + first, from + first, std::min(run, bytes - first));
    }
}

}  // namespace

void PinnedRing::upload(const void* host, void* device, std::size_t bytes, cudaStream_t stream) {
    if (!memory_) {
        void* data = nullptr;
        check(cudaMallocHost(&data, piece_count * piece_bytes));
        memory_ = PinnedMemory(data);
        for (EventHandle& sent : sent_) {
            cudaEvent_t event = nullptr;
            check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
            sent = EventHandle(event);
        }
    }
    for (std::size_t done = 0; done < bytes; done += piece_bytes) {
        const std::size_t length = std::min(piece_bytes, bytes - done);
        std::byte* piece = static_cast<std::byte*>(memory_.get()) + next_ * piece_bytes;
        check(cudaEventSynchronize(sent_[next_].get()));
        copy_by_threads(static_cast<const std::byte*>(host) + done, piece, length);
        check(cudaMemcpyAsync(static_cast<std::byte*>(device) + done, piece, length, cudaMemcpyHostToDevice, stream));
        check(cudaEventRecord(sent_[next_].get(), stream));
        next_ = (next_ + 1) % piece_count;
    }
}

}  // namespace recon
