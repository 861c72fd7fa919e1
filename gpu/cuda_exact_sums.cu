// Mirrors core/cpu/cpu_exact_sums.cpp.
#include "core/error.hpp"
#include "gpu/cuda_backend.cuh"

namespace recon {

std::unique_ptr<FourierSums> make_cuda_exact_sums(CudaBackend& backend, const Trajectory&, const VoxelGrid&,
                                                  Precision) {
    throw DeviceError(backend.name() + ": exact sums are not yet on the GPU; use --device cpu");
}

}  // namespace recon
