#pragma once

#include "core/backend/backend.hpp"
#include "core/backend/device_ceilings.hpp"

namespace recon {

/// Takes some tens of milliseconds and 2 GB of the device's memory.
/// @throws UsageError if `cuda` is no CUDA backend
DeviceCeilings measure_gpu_ceilings(Backend& cuda);

}  // namespace recon
