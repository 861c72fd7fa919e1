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

void PinnedRing::make() {
    if (memory_) {
        return;
    }
    void* data = nullptr;
    check(cudaMallocHost(&data, piece_count * piece_bytes));
    memory_ = PinnedMemory(data);
    for (EventHandle& sent : sent_) {
        cudaEvent_t event = nullptr;
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        sent = EventHandle(event);
    }
}

std::byte* PinnedRing::piece(std::size_t i) const { return static_cast<std::byte*>(memory_.get()) + i * piece_bytes; }

void PinnedRing::upload(const void* host, void* device, std::size_t bytes, cudaStream_t stream) {
    make();
    for (std::size_t done = 0; done < bytes; done += piece_bytes) {
        const std::size_t length = std::min(piece_bytes, bytes - done);
        check(cudaEventSynchronize(sent_[next_].get()));
        copy_by_threads(static_cast<const std::byte*>(host) + done, piece(next_), length);
        check(cudaMemcpyAsync(static_cast<std::byte*>(device) + done, piece(next_), length, cudaMemcpyHostToDevice,
                              stream));
        check(cudaEventRecord(sent_[next_].get(), stream));
        next_ = (next_ + 1) % piece_count;
    }
}

void PinnedRing::download(const void* device, void* host, std::size_t bytes, cudaStream_t stream) {
    make();
    // Where an upload still reads a piece, the stream's order keeps what comes into it back.
    const auto length_at = [&](std::size_t offset) { return std::min(piece_bytes, bytes - offset); };
    const auto send = [&](std::size_t offset) {
        const std::size_t i = offset / piece_bytes % piece_count;
        check(cudaMemcpyAsync(piece(i), static_cast<const std::byte*>(device) + offset, length_at(offset),
                              cudaMemcpyDeviceToHost, stream));
        check(cudaEventRecord(sent_[i].get(), stream));
    };
    constexpr std::size_t ahead = piece_count * piece_bytes;
    for (std::size_t offset = 0; offset < std::min(ahead, bytes); offset += piece_bytes) {
        send(offset);
    }
    for (std::size_t offset = 0; offset < bytes; offset += piece_bytes) {
        const std::size_t i = offset / piece_bytes % piece_count;
        check(cudaEventSynchronize(sent_[i].get()));
        copy_by_threads(piece(i), static_cast<std::byte*>(host) + offset, length_at(offset));
        if (offset + ahead < bytes) {
            send(offset + ahead);
        }
    }
}

}  // namespace recon
