#pragma once

#include <vector>

#include "core/mri/kspace_excerpt.hpp"

namespace recon {

/// Noise as a noise scan would have it, from readouts whose samples lie so close that an object within the field of
/// view has nothing in the highest quarter of their temporal frequencies: the values there. They are believed of all
/// coils or none: in each the four parts of that band must agree, and mean and median be those of Gaussian noise, which
/// what leaks from the signal is not.
/// @return [sample coil], of the variance of the noise of a sample; empty where it cannot be told from signal
std::vector<cfloat> noise_in_readouts(const KspaceExcerpt& excerpt, const PerAxis<Index>& matrix_size);

/// Neighbours share a part of their noise: how many values of `noise_in_readouts` count as one of a noise scan.
constexpr double readout_values_of_noise = 1.5;

/// How many values `noise_in_readouts` finds in a readout of so many samples.
Index noise_values_of_readout(Index samples_per_readout);

}  // namespace recon
