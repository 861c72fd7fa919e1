#include "gpu/ladder/ladder_step.hpp"

namespace recon::ladder {

std::vector<Step> gpu_steps() { return {}; }

}  // namespace recon::ladder
