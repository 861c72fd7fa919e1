#pragma once

#include <string>

#include "core/backend/device_ceilings.hpp"
#include "gpu/ladder/ladder_step.hpp"

namespace recon::ladder {

/// The unit of the device that a run keeps busiest, and how busy: its least possible time over the time taken.
struct Bound {
    std::string unit;  ///< "special functions", "instructions", "multiply-adds", "tensor cores", "device memory"
    double share = 0;  ///< of the measured ceiling; 0 where the work was not counted
};

Bound busiest_unit(const Work& work, double seconds, const DeviceCeilings& ceilings, int device_count);

}  // namespace recon::ladder
