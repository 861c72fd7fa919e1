#pragma once

#include <span>

#include "core/mri/gradients/gradient_delays.hpp"

namespace recon {

/// Gradient delays of a radial scan from the scan alone (RING) [Rosenzweig 2018]: readouts that are shifted by the
/// delays cross beside the centre, and where they cross they hold the same values. The delays are those for which the
/// values at all crossings agree best, by Gauss-Newton from the best point of a grid. Disagreement is that of the
/// values where readouts cross.
///
/// Readouts lie in a plane of the image's axes: x, y and xy, say, are found. A phase of its own for each readout
/// (off-resonance, eddy currents) is not in the model.
/// @param kspace  [sample coil]
/// @throws InputError unless readouts are straight, of equal length, through the centre, in a plane and in several
/// directions
DelayEstimate estimate_gradient_delays(const Trajectory& trajectory, std::span<const cfloat> kspace, Index coil_count,
                                       Index samples_per_readout);

}  // namespace recon
