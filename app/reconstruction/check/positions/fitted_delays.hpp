#pragma once

#include <optional>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/mri/gradients/gradient_delays.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Gradient delays of straight readouts in any directions, by the data that an image of low resolution leaves
/// unexplained: those with which it leaves least. A symmetric matrix of delays moves a readout as a whole, by -T h with
/// h its step; from where they start, or from 0 if that leaves less, by Gauss and Newton, the image eliminated
/// (SharpFit). Disagreement is the part of the data that is left.
/// @param probe  `sharper`  @param steps  of the readout of each sample of the probe, cycles per FOV
/// @param start  to a fraction of a cycle per FOV (delays_of_echoes)
/// @return nothing where there are no data, or they do not tell the delays
std::optional<DelayEstimate> fit_gradient_delays(const Scan& probe, const Trajectory& steps,
                                                 const GradientDelays& start, Backend& backend);

}  // namespace recon
