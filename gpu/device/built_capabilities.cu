// nvcc alone knows what it compiles for.
#include "gpu/device/machine_code.hpp"

namespace recon {

std::vector<int> built_capabilities() {
    std::vector<int> capabilities{__CUDA_ARCH_LIST__};  // 800 for 8.0
    for (int& capability : capabilities) {
        capability /= 10;
    }
    return capabilities;
}

}  // namespace recon
