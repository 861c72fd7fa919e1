#pragma once

#include "core/heart/excitation.hpp"
#include "gpu/heart/tile.cuh"

namespace recon {

/// 128 x 48 cells in a block of 256 threads, two blocks a multiprocessor.
using BlockedShape = TileShape<128, 2, 24>;

/// Several steps for each pass over memory (blocked_kernel.cuh).
/// @param steps_a_pass  1 to 16
std::unique_ptr<Excitation> make_blocked_sheet(Backend& gpu, const ExcitationSetup& setup, int steps_a_pass);

/// Bytes read and written for a cell and step.
double blocked_bytes_a_cell(int steps_a_pass, Precision precision);

}  // namespace recon
