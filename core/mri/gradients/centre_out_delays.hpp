#pragma once

#include <optional>
#include <span>

#include "core/mri/gradients/centre_out_readouts.hpp"
#include "core/mri/gradients/gradient_delays.hpp"

namespace recon {

/// What explains the samples around the centre of k-space that no image does.
struct CentreOutEstimate {
    DelayEstimate delays;
    Index wrong_samples = 0;          ///< at the beginning of every readout, instead of delays, which are 0
    double disagreement_without = 0;  ///< these, as DelayEstimate has it
};

/// Gradient delays of readouts that leave the centre of k-space (half-spokes, spirals, cones), by the samples around
/// it. Late gradients keep a readout at the centre for a while, and its samples then hold the values of places nearer
/// to the centre: along any line through it the data jump, as those of no image within the field of view do. The delays
/// are those with which such an image leaves least (CentreFit): one for all axes of a grid, the smallest with which
/// little is left, then a symmetric matrix by Gauss and Newton, the image eliminated. Disagreement is the part of the
/// data that is left beyond noise.
///
/// Up to three first samples that hold another value than the others ask for (left_with_factors) look much like delays.
/// Which of the two is so says what they leave, by the Bayesian information criterion [Schwarz 1978].
/// @param positions  of the readouts  @param kspace  [sample coil] of them
/// @param noise_sigma  sqrt(E|n|^2) of a sample; 0: unknown
/// @return delays of 0 where what is left is within noise, or no others leave less; nothing where there are few
/// samples, or zeros
std::optional<CentreOutEstimate> estimate_centre_out_delays(const CentreOutReadouts& readouts,
                                                            const Trajectory& positions, std::span<const cfloat> kspace,
                                                            double noise_sigma);

/// Whether delays are what an image does not explain: of signal that decays, turns or is used up two thirds and more
/// stay with any delays, of what late gradients leave a third at most.
bool are_the_reason(const DelayEstimate& delays);
/// The same of wrong first samples.
bool wrong_samples_are_the_reason(const CentreOutEstimate& estimate);

}  // namespace recon
