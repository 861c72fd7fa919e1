#include "app/pipeline/backend_choice.hpp"

#include <charconv>

#include "core/backend/cpu/cpu_backend.hpp"
#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "gpu/backend/gpu_backend.hpp"

namespace recon {
namespace {

/// N of "cuda:N"; -1 if that is not what `device` says.
int cuda_ordinal(const std::string& device) {
    if (device == "cuda") {
        return 0;
    }
    int ordinal = -1;
    const char* end = device.data() + device.size();
    if (device.starts_with("cuda:") && std::from_chars(device.data() + 5, end, ordinal).ptr == end) {
        return ordinal;
    }
    return -1;
}

}  // namespace

std::unique_ptr<Backend> make_backend(const std::string& device, int thread_count) {
    if (device == "cpu") {
        return make_cpu_backend(thread_count);
    }
    if (device == "auto") {
        try {
            return make_cuda_backend(0);
        } catch (const BackendUnavailable& unavailable) {
            log_info("no GPU: {}", unavailable.what());
            return make_cpu_backend(thread_count);
        }
    }
    const int ordinal = cuda_ordinal(device);
    if (ordinal < 0) {
        throw UsageError("--device " + device + ": expected auto, cpu, cuda, cuda:N, cuda:M,N or cuda:all");
    }
    return make_cuda_backend(ordinal);
}

}  // namespace recon
