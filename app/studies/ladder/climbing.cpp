#include "app/studies/ladder/climbing.hpp"

#include "gpu/backend/gpu_backend.hpp"
#include "gpu/backend/gpu_ceilings.hpp"
#include "gpu/device/device_count.hpp"

namespace recon::ladder {

FoundGpus find_gpus(const std::string& device, int most) {
    FoundGpus found;
    if (device == "cpu") {
        found.none = "the device asked for is the CPU";
        return found;
    }
    try {
        const int count = std::min(cuda_device_count(), most);
        for (int ordinal = 0; ordinal < count; ++ordinal) {
            found.backends.push_back(make_cuda_backend(ordinal));
        }
        found.ceilings = measure_gpu_ceilings(*found.backends.front());
    } catch (const BackendUnavailable& unavailable) {
        found.backends.clear();
        found.none = unavailable.reason();
    }
    return found;
}

}  // namespace recon::ladder
