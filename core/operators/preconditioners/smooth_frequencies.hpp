#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Eigenvalues of a circulant preconditioner, made of those of the operator: their means over neighbouring frequencies,
/// with binomial weights (1 8 28 56 70 56 28 8 1)/256 along each axis.
///
/// In space the rows of the approximation are multiplied by cos^8(pi x/n): what reaches across the edges of the image,
/// where a circulant matrix goes on at the opposite edge and the operator ends, is left out, and so is what gaps and
/// peaks of k-space that are narrower than a grid cell would ask of the inverse. For systems whose prior is strong
/// where samples are few (docs/decisions/0015-smooth-circulant-preconditioner.md).
/// @param values  [x y z] of the grid, FFT order, not negative; returned as they are where they are not of the grid
std::vector<float> smooth_frequencies(const std::vector<float>& values, PerAxis<Index> grid);

}  // namespace recon
