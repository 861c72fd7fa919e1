#include "core/cpu/cpu_backend.hpp"
#include "core/error.hpp"

namespace recon {

std::unique_ptr<GriddingPlan> make_cpu_gridding(const Trajectory&, const GriddingGeometry&, Precision) {
    throw Error("not written yet");
}

}  // namespace recon
