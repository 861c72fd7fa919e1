#pragma once

#include "core/heart/excitation.hpp"
#include "gpu/device/cuda_queue.cuh"
#include "gpu/heart/sheets/tile.cuh"

namespace recon {

/// 96 x 105 cells in a block of 480 threads, one block a multiprocessor.
using ResidentShape = TileShape<96, 5, 21>;

/// How a sheet is divided among the multiprocessors, one tile each.
struct ResidentLayout {
    int columns, rows;  ///< tiles
    int halo;           ///< cells; steps from one exchange to the next
    /// None if the sheet is too large to stay in all of them.
    static std::optional<ResidentLayout> of(int size, int multiprocessors);
};

/// @return why the sheet cannot stay in this GPU; empty if it can
std::string resident_obstacle(CudaQueue& queue, const ExcitationSetup& setup);

/// The whole sheet in registers and shared memory from the first step to the last, tiles exchanging their rims
/// (resident_kernel.cuh). @throws UsageError with resident_obstacle
std::unique_ptr<Excitation> make_resident_sheet(Backend& gpu, const ExcitationSetup& setup);

}  // namespace recon
