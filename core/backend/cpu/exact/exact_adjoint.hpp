#pragma once

#include <complex>

#include "core/backend/cpu/exact/factored_grid.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

/// image[n,b] = sum_m samples[m,b] exp(+i 2 pi k_m.r_n) as a matrix product: rows are the voxels of the row and line
/// axes and the images of a batch, columns those of the column axis, and the samples are summed over.
template <class T>
void exact_adjoint(const FactoredGrid& grid, const Trajectory& trajectory, Index batch, const std::complex<T>* samples,
                   Index voxel_count, std::complex<T>* image);

/// What that allocates meanwhile. @param piece_bytes  as MemoryBudget::piece_bytes
template <class T>
std::size_t exact_adjoint_bytes(const FactoredGrid& grid, Index sample_count, Index batch, std::size_t piece_bytes);

}  // namespace recon
