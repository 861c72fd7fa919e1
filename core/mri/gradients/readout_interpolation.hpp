#pragma once

#include <span>

namespace recon {

/// A component of the positions of one readout at a fractional sample: by the cubic through the four samples around,
/// beyond the ends along the straight line that they end with, as gradients are on before the first sample of a full
/// radial readout, and begin at zero with one that starts at the centre.
/// @param k  at least one position
double position_at(std::span<const double> k, double sample);

}  // namespace recon
