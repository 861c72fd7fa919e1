#include "gpu/device/foreign_queues.hpp"

#include "gpu/device/cuda_check.cuh"

namespace recon {

// The one place that waits for the whole device: streams of others have no names that we know.
void wait_for_foreign_queues(int ordinal) {
    check(cudaSetDevice(ordinal));
    check(cudaDeviceSynchronize());
}

}  // namespace recon
