#pragma once

#include "core/base/types.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {

/// Seconds that the exact sums of the CPU backend, forward or adjoint, should take with the present number of threads.
///
/// Counted from the operations of the chosen factorisation, by cpu_costs() (docs/predicted-times.md). For Q, hand over
/// the half grid that is summed.
/// @param batch  images summed at once, such as coils
double predicted_cpu_exact_seconds(const VoxelGrid& grid, Index sample_count, Index batch, Precision precision);

}  // namespace recon
