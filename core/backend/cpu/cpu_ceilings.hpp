#pragma once

#include "core/backend/device_ceilings.hpp"

namespace recon {

/// With all threads that OpenMP has. Takes about a second and 1 GB of memory.
DeviceCeilings measure_cpu_ceilings();

}  // namespace recon
