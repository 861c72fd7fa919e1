// Mirrors core/cpu/cpu_gridding.cpp.
#include "core/error.hpp"
#include "gpu/cuda_backend.cuh"

namespace recon {

std::unique_ptr<GriddingPlan> make_cuda_gridding(CudaBackend& backend, const Trajectory&, const GriddingGeometry&,
                                                 Precision) {
    throw DeviceError(backend.name() + ": gridding is not yet on the GPU; use --device cpu");
}

}  // namespace recon
