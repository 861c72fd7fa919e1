#include "gpu/heart/heart_step.hpp"

namespace recon::heart {

std::vector<Step> gpu_steps() { return {}; }

}  // namespace recon::heart
