#pragma once

#include <cstddef>

#include "gpu/device/cuda_handles.cuh"

namespace recon {

/// Uploads at the speed of the bus: threads of the host fill pinned pieces while those before are on their way. The
/// driver's own copy from pageable memory uses one thread, a fraction of that speed.
class PinnedRing {
public:
    static constexpr std::size_t least_bytes = std::size_t{1} << 20;  ///< below, it would not pay

    /// The host memory may be reused when this returns.
    void upload(const void* host, void* device, std::size_t bytes, cudaStream_t stream);

private:
    static constexpr std::size_t piece_bytes = std::size_t{4} << 20;
    static constexpr int piece_count = 4;

    PinnedMemory memory_;  ///< made by the first upload, because that takes time
    EventHandle sent_[piece_count];
    int next_ = 0;
};

}  // namespace recon
