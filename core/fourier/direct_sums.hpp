#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/positions.hpp"
#include "core/fourier/trajectory.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {

// The Fourier sums straight from their definition (docs/conventions.md), one exponential for every pair of a sample and
// a position, in double and on the host. They are the reference that everything else is judged by: slow, and plain.
// All of them throw ShapeError if the sizes of their arguments do not fit.

/// s[m] = sum_n values[n] exp(-i 2 pi k_m.r_n); `values` per position, result per sample.
std::vector<cdouble> direct_forward(const Trajectory& trajectory, const Positions& positions,
                                    std::span<const cdouble> values);
/// rho[n] = sum_m samples[m] exp(+i 2 pi k_m.r_n); `samples` per sample, result per position.
std::vector<cdouble> direct_adjoint(const Trajectory& trajectory, const Positions& positions,
                                    std::span<const cdouble> samples);

/// The same for a whole grid: `image` [x y z].
std::vector<cdouble> direct_forward(const Trajectory& trajectory, const VoxelGrid& grid,
                                    std::span<const cdouble> image);
std::vector<cdouble> direct_adjoint(const Trajectory& trajectory, const VoxelGrid& grid,
                                    std::span<const cdouble> samples);

/// The adjoint at `voxels` alone (offsets into the grid, x fastest).
std::vector<cdouble> direct_adjoint_at(const Trajectory& trajectory, const VoxelGrid& grid,
                                       std::span<const Index> voxels, std::span<const cdouble> samples);

}  // namespace recon
