#include "core/cpu/cpu_backend.hpp"
#include "core/error.hpp"

namespace recon {

std::unique_ptr<PaddedFftPlan> make_cpu_padded_fft(const PaddedFftGeometry&, Precision) {
    throw Error("not written yet");
}

}  // namespace recon
