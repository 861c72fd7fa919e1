#pragma once

#include <complex>

#include "core/backend/cpu/exact/factored_grid.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

/// samples[m,b] = sum_n image[n,b] exp(-i 2 pi k_m.r_n): a matrix product sums over the column axis of the voxels, its
/// rows are then multiplied by their factors and added.
template <class T>
void exact_forward(const FactoredGrid& grid, const Trajectory& trajectory, Index batch, Index voxel_count,
                   const std::complex<T>* image, std::complex<T>* samples);

/// What that allocates meanwhile. @param piece_bytes  as MemoryBudget::piece_bytes
template <class T>
std::size_t exact_forward_bytes(const FactoredGrid& grid, Index sample_count, Index batch, std::size_t piece_bytes);

}  // namespace recon
