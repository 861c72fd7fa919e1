#pragma once

#include <span>

#include "core/fourier/trajectory.hpp"

namespace recon {

/// A component of the positions of one readout at a fractional sample: by the cubic through the four samples around,
/// beyond the ends along the straight line that they end with, as gradients are on before the first sample of a full
/// radial readout.
/// @param k  at least one position
double position_at(std::span<const double> k, double sample);

/// Where a readout that leaves the centre of k-space began, in samples from its first one, 0 or less: gradients were
/// off before, and positions the centre's. So begin half-spokes, cones, spirals, and those of a stack, along the axes
/// that they move in.
/// @return minus infinity for any other readout
double start_of_readout(const Trajectory& trajectory, Index first, Index length);

}  // namespace recon
