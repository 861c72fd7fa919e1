#pragma once

#include "core/base/types.hpp"

namespace recon::exact_sums {

/// What the cost of a product depends on besides its size.
struct DeviceSize {
    int multiprocessors;
    double step_clocks;  ///< one step of one block: 128 or 256 rows x 128 columns x 32 inner
};

/// Predicted time in clocks, and into how many slices the inner dimension (adjoint) or the columns (forward) are cut so
/// that the blocks fill the device.
struct Plan {
    double clocks;
    int slices;
};

/// Clocks that starting one more kernel costs, queue included: 4 us.
constexpr double launch_clocks = 8e3;

/// Clocks that moving a byte to or from the device's memory costs, at 4 TB/s.
constexpr double clocks_a_byte = 1.0 / 2000;

/// The cheapest number of slices for `blocks` equal blocks of `steps` steps each, every slice of which also costs
/// `slice_clocks` (writing and adding its results).
Plan plan_slices(Index blocks, Index steps, double slice_clocks, const DeviceSize& device);

/// Special functions: clocks of one multiprocessor for one (sample, voxel) pair of `batch` images.
double special_clocks_a_pair(Index batch);

}  // namespace recon::exact_sums
