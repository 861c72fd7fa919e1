#pragma once

#include "gpu/heart/heart_step.hpp"

namespace recon::heart {

Step cpu_serial_step();
Step cpu_fused_step();

}  // namespace recon::heart
