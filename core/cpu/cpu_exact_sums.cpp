#include "core/cpu/cpu_backend.hpp"
#include "core/error.hpp"

namespace recon {

std::unique_ptr<FourierSums> make_cpu_exact_sums(const Trajectory&, const VoxelGrid&, Precision) {
    throw Error("not written yet");
}

}  // namespace recon
