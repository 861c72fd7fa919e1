#pragma once

#include <vector>

#include "core/backend/backend.hpp"

namespace recon {

/// Density weights by fixed-point iteration [Pipe 1999]: w <- w / (psi * w), psi the autocorrelation of a gridding
/// kernel.
///
/// psi has unit integral, so that w_m is the k-space cell of sample m in (cycles/FOV)^d, and the gridded image
/// `sum_m w_m d_m exp(i 2 pi k_m.r_n) / voxel_count` has the scale of the true one.
/// @return [sample], non-negative
std::vector<double> pipe_menon_weights(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                                       int iterations = 20);

}  // namespace recon
