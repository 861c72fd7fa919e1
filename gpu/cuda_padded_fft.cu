// Mirrors core/cpu/cpu_padded_fft.cpp.
#include "core/error.hpp"
#include "gpu/cuda_backend.cuh"

namespace recon {

std::unique_ptr<PaddedFftPlan> make_cuda_padded_fft(CudaBackend&, const PaddedFftGeometry&, Precision) {
    throw Error("not written yet");
}

}  // namespace recon
