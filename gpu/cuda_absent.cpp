#include "core/error.hpp"
#include "gpu/gpu_backend.hpp"

namespace recon {

std::unique_ptr<Backend> make_cuda_backend(int) {
    throw BackendUnavailable("this build of recon has no CUDA backend; use --device cpu");
}

}  // namespace recon
