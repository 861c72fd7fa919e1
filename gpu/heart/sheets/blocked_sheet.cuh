#pragma once

#include <span>

#include "core/heart/excitation.hpp"
#include "gpu/heart/sheets/tile.cuh"

namespace recon {

/// 128 x 48 cells in a block of 256 threads, two blocks a multiprocessor.
using BlockedShape = TileShape<128, 2, 24>;

/// The fastest of 1, 2, 4 and 6 on an H200 (docs/heart.md): fewer passes, for more cells that are computed twice.
constexpr int best_steps_a_pass = 6;

/// When the rows that neighbours keep are copied to them.
enum class HaloCopies {
    overlapped,  ///< as soon as the tiles along the rims are done, while the others are stepped
    after_all    ///< when all tiles are done
};

/// Several steps for each pass over memory (blocked_kernel.cuh), on one GPU or in strips of rows on several, which may
/// be the same one. The same bytes on any number of them.
/// @param steps_a_pass  1 to 16, on several GPUs 12; as many rows neighbours keep of each other
/// @throws UsageError if the tissue is not the same everywhere, a GPU is none of CUDA, or a strip has fewer rows than
/// `steps_a_pass`
std::unique_ptr<Excitation> make_blocked_sheet(std::span<Backend* const> gpus, const ExcitationSetup& setup,
                                               int steps_a_pass, HaloCopies copies = HaloCopies::overlapped);

/// Bytes read and written for a cell and step.
double blocked_bytes_a_cell(int steps_a_pass, Precision precision);

}  // namespace recon
