#pragma once

namespace recon {

/// RECON_CPU_LEVEL=base|v3|v4 in the environment: the best processor to use instructions of, for tests and to compare.
/// @throws UsageError for another name
void limit_cpu_level_by_environment();

}  // namespace recon
