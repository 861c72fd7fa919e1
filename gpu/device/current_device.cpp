#include "gpu/device/current_device.hpp"

#include "gpu/device/cuda_check.cuh"

namespace recon {

CurrentDeviceStays::CurrentDeviceStays() {
    if (cudaGetDevice(&ordinal_) != cudaSuccess) {
        cudaGetLastError();
        ordinal_ = -1;
    }
}

CurrentDeviceStays::~CurrentDeviceStays() {
    if (ordinal_ >= 0) {
        warn(cudaSetDevice(ordinal_));
    }
}

}  // namespace recon
