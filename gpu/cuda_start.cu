#include <cuda_runtime_api.h>

#include "gpu/device/device_count.hpp"
#include "gpu/fft/volume_passes.cuh"
#include "gpu/gridding/gridding_method.cuh"
#include "gpu/nccl/gpu_communicator.hpp"

namespace recon {

std::shared_ptr<void> start_cuda_devices(std::span<const int> ordinals) {
    std::shared_ptr<void> connection;
    if (ordinals.size() > 1) {
        connection = connect_gpus_ahead(ordinals);
    }
    for (const int ordinal : ordinals) {
        if (cudaSetDevice(ordinal) != cudaSuccess) {
            return connection;
        }
    }
    if (!connection) {            // a load may wait for devices, which wait for each other where they add up
        load_gridding_in_bins();  // in the order in which a command needs them
        load_gridding_in_slabs();
        load_volume_passes();
    }
    return connection;
}

}  // namespace recon
