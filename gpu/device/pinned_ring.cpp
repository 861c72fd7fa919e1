#include "gpu/device/pinned_ring.cuh"

#include <algorithm>
#include <cstring>

#include "gpu/device/piece_copies.hpp"

namespace recon {

void PinnedRing::make() {
    if (memory_) {
        return;
    }
    void* data = nullptr;
    check(cudaMallocHost(&data, slot_count * piece_bytes));
    memory_ = PinnedMemory(data);
    for (EventHandle& sent : sent_) {
        cudaEvent_t event = nullptr;
        check(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
        sent = EventHandle(event);
    }
}

std::byte* PinnedRing::slot(std::size_t piece) const {
    return static_cast<std::byte*>(memory_.get()) + (first_ + piece) % slot_count * piece_bytes;
}

void PinnedRing::upload(const void* host, void* device, std::size_t bytes, cudaStream_t stream) {
    make();
    PieceCopies copies(bytes, piece_bytes, [&](std::size_t offset, std::size_t length) {
        std::memcpy(slot(offset / piece_bytes) + offset % piece_bytes, static_cast<const std::byte*>(host) + offset,
                    length);
    });
    copies.run([&] {
        for (std::size_t piece = 0; piece < std::min(slot_count, copies.piece_count()); ++piece) {
            check(cudaEventSynchronize(sent(piece)));  // what earlier copies sent
            copies.release(piece + 1);
        }
        for (std::size_t piece = 0; piece < copies.piece_count(); ++piece) {
            copies.wait_for(piece);
            const std::size_t offset = piece * piece_bytes;
            check(cudaMemcpyAsync(static_cast<std::byte*>(device) + offset, slot(piece),
                                  std::min(piece_bytes, bytes - offset), cudaMemcpyHostToDevice, stream));
            check(cudaEventRecord(sent(piece), stream));
            if (piece > 0) {  // while this one is on its way, the one before makes room
                check(cudaEventSynchronize(sent(piece - 1)));
                copies.release(piece + slot_count);
            }
        }
    });
    first_ += copies.piece_count();
}

void PinnedRing::download(const void* device, void* host, std::size_t bytes, cudaStream_t stream) {
    make();
    PieceCopies copies(bytes, piece_bytes, [&](std::size_t offset, std::size_t length) {
        std::memcpy(static_cast<std::byte*>(host) + offset, slot(offset / piece_bytes) + offset % piece_bytes, length);
    });
    // Where an upload still reads a slot, the stream's order keeps what comes into it back.
    const auto send = [&](std::size_t piece) {
        const std::size_t offset = piece * piece_bytes;
        check(cudaMemcpyAsync(slot(piece), static_cast<const std::byte*>(device) + offset,
                              std::min(piece_bytes, bytes - offset), cudaMemcpyDeviceToHost, stream));
        check(cudaEventRecord(sent(piece), stream));
    };
    copies.run([&] {
        for (std::size_t piece = 0; piece < std::min(slot_count, copies.piece_count()); ++piece) {
            send(piece);
        }
        for (std::size_t piece = 0; piece < copies.piece_count(); ++piece) {
            check(cudaEventSynchronize(sent(piece)));
            copies.release(piece + 1);
            if (piece > 0) {  // while this one is emptied, the slot of the one before is filled again
                copies.wait_for(piece - 1);
                if (piece - 1 + slot_count < copies.piece_count()) {
                    send(piece - 1 + slot_count);
                }
            }
        }
        copies.wait_for(copies.piece_count() - 1);
    });
}

}  // namespace recon
