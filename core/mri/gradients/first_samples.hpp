#pragma once

#include <span>

#include "core/mri/gradients/centre_fit.hpp"

namespace recon {

/// The least that a fit leaves if the first samples of every readout hold the right values but for a factor, one for
/// each place that all readouts and coils share: as of receivers whose filters have not settled, of gates that open
/// late, of currents that turn the phase.
/// @param places  of the samples that were fitted, in their readouts  @param count  of first samples, 1 or more
double left_with_factors(const CentreFit& fit, std::span<const Index> places, Index count);

}  // namespace recon
