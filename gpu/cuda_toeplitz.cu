// Mirrors core/cpu/cpu_toeplitz.cpp.
#include "core/error.hpp"
#include "gpu/cuda_backend.cuh"

namespace recon {

std::unique_ptr<ToeplitzPlan> make_cuda_toeplitz(CudaBackend&, const Shape&, ConstArrayView, Precision) {
    throw Error("not written yet");
}

}  // namespace recon
