#pragma once

#include <functional>

#include "gpu/ladder/ladder_step.hpp"

namespace recon::ladder {

// The steps of the CPU, each in the file of its name.
Step cpu_double_step();
Step cpu_single_step();
Step cpu_threads_step();
Step cpu_separable_step();

/// Runs `sums`, which fills [voxel], `repeats` times by the clock of the host.
StepRun timed_on_cpu(const Problem& problem, int repeats, const std::function<void(std::vector<cfloat>&)>& sums);

}  // namespace recon::ladder
