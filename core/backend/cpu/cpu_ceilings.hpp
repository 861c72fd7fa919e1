#pragma once

#include "core/backend/device_ceilings.hpp"
#include "core/processor/cpu_level.hpp"

namespace recon {

/// With all threads that OpenMP has. Takes about a second and 1 GB of memory.
DeviceCeilings measure_cpu_ceilings();

/// With what one level of the processor can.
using MeasureCpuCeilings = DeviceCeilings();
namespace RECON_CPU_LEVEL {
MeasureCpuCeilings measure_cpu_ceilings;
}

}  // namespace recon
