#pragma once

#include <cstddef>

#include "gpu/device/cuda_handles.cuh"

namespace recon {

/// Copies at the speed of the bus: threads of the host fill pinned pieces, or empty them, while others are on their
/// way. The driver's own copy of pageable memory uses one thread, a fraction of that speed.
class PinnedRing {
public:
    static constexpr std::size_t least_bytes = std::size_t{1} << 20;  ///< below, it would not pay

    /// The host memory may be reused when this returns.
    void upload(const void* host, void* device, std::size_t bytes, cudaStream_t stream);
    /// The numbers are there when this returns.
    void download(const void* device, void* host, std::size_t bytes, cudaStream_t stream);

private:
    void make();
    // Of a piece of the copy that is going on.
    std::byte* slot(std::size_t piece) const;
    cudaEvent_t sent(std::size_t piece) const { return sent_[(first_ + piece) % slot_count].get(); }

    static constexpr std::size_t piece_bytes = std::size_t{4} << 20;
    static constexpr std::size_t slot_count = 4;

    PinnedMemory memory_;  ///< made by the first copy, because that takes time
    EventHandle sent_[slot_count];
    std::size_t first_ = 0;  ///< slot of a copy's first piece: the one that was sent from longest ago
};

}  // namespace recon
