#include "core/cpu/cpu_backend.hpp"
#include "core/error.hpp"

namespace recon {

std::unique_ptr<ToeplitzPlan> make_cpu_toeplitz(const Shape&, ConstArrayView, Precision) {
    throw Error("not written yet");
}

}  // namespace recon
