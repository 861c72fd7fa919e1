#include "gpu/device/device_failure.hpp"

#include <cuda_runtime_api.h>
#include <fmt/format.h>

#include <atomic>

#include "gpu/device/device_names.hpp"

namespace recon {

bool device_has_failed() {
    static std::atomic<bool> has_failed = false;
    cudaGetLastError();
    if (cudaFree(nullptr) != cudaSuccess) {
        cudaGetLastError();
        has_failed = true;
    }
    return has_failed;
}

DeviceError error_of_device(const std::string& device, const std::string& reason) {
    if (!device_has_failed()) {
        return DeviceError(device + ": " + reason);
    }
    return DeviceError(
        fmt::format("{} failed in the midst of the work: {}; the system's log (dmesg) may say why. Run "
                    "again, or use `device` cpu; `checkpoint` keeps what long runs have done",
                    name_of_current_device(), reason));
}

}  // namespace recon
