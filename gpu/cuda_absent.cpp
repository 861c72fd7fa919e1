#include "core/base/error.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "gpu/backend/gpu_ceilings.hpp"
#include "gpu/device/current_device.hpp"
#include "gpu/device/device_count.hpp"
#include "gpu/device/foreign_queues.hpp"
#include "gpu/exact/exact_sums_method.hpp"
#include "gpu/gridding/gridding_memory.hpp"
#include "gpu/toeplitz/gpu_toeplitz.hpp"

namespace recon {
namespace {

[[noreturn]] void refuse() { throw BackendUnavailable("this build of recon has no CUDA backend", "use `device` cpu"); }

}  // namespace

std::unique_ptr<Backend> make_cuda_backend(int) { refuse(); }

int cuda_device_count() { refuse(); }

std::shared_ptr<void> start_cuda_devices(std::span<const int>) { return nullptr; }

void wait_for_foreign_queues(int) {}

CurrentDeviceStays::CurrentDeviceStays() { static_cast<void>(ordinal_); }  // stays none
CurrentDeviceStays::~CurrentDeviceStays() = default;

std::unique_ptr<ToeplitzPlan> make_cuda_toeplitz(Backend&, const Shape&, ConstArrayView, Precision,
                                                 const GpuToeplitzOptions&, std::optional<Array>) {
    refuse();
}

std::unique_ptr<FourierSums> make_cuda_exact_sums(Backend&, const Trajectory&, const VoxelGrid&, Precision,
                                                  ExactSumsMethod) {
    refuse();
}

GriddingMemory cuda_gridding_memory(const GriddingGeometry&, Index, Index, Precision, std::size_t) { refuse(); }

DeviceCeilings measure_gpu_ceilings(Backend&) { refuse(); }

}  // namespace recon
