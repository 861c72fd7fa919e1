#pragma once

#include "gpu/ladder/ladder_device.cuh"

namespace recon::ladder {

/// The kernel of Unroll, Tune and Multi: one thread a voxel, samples in constant memory, hardware sine and cosine of a
/// reduced phase; threads, samples of a launch and unrolling as asked for. Queues the launches for `sample_count`
/// samples.
/// @throws UsageError for a tuning that does not exist
template <Sum sum>
void launch_tuned(CudaQueue& queue, const Tuning& tuning, const Sample<sum>* samples, Index sample_count,
                  VoxelArrays voxels, Index voxel_count, ComplexPair* results);

/// Work of a run of it.
Work tuned_work(const Problem& problem, Sum sum, const Tuning& tuning);

/// A whole step on the first GPU.
StepRun run_tuned(const Devices& devices, const Problem& problem, Sum sum, int repeats, const Tuning& tuning);

}  // namespace recon::ladder
