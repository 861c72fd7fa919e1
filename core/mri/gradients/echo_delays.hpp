#pragma once

#include <span>
#include <vector>

#include "core/mri/gradients/gradient_delays.hpp"
#include "core/mri/gradients/straight_readouts.hpp"

namespace recon {

/// Gradient delays by where along each readout the signal is largest, to a fraction of a cycle per FOV: late by T, a
/// readout along n passes the centre of k-space `n . T n` steps later. An object's own phase, which moves the centre to
/// k, moves that by `n . k` steps; both are found at once, by least squares.
/// @param readouts  in several directions  @param kspace  [sample coil]
GradientDelays delays_of_echoes(const std::vector<StraightReadout>& readouts, std::span<const cfloat> kspace,
                                Index coil_count, Index samples_per_readout);

}  // namespace recon
