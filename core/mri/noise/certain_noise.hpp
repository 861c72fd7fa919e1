#pragma once

#include "core/mri/kspace_excerpt.hpp"
#include "core/mri/noise/noise_level.hpp"

namespace recon {

/// A level of noise that is not fooled by signal, from where k-space can hold none:
///
/// - the highest quarter of the temporal frequencies of readouts whose samples lie so close (0.6 cycles per field of
///   view) that an object within the field of view cannot be there; believed if the four parts of that band agree, as
///   white noise has it and what leaks from the signal has not: then those of the parts that are the lowest, but for
///   chance;
/// - differences between samples at the very centre of k-space that follow one another, where readouts share it.
///
/// Of two that differ by more than chance the lower one, else both, by what each is known to. Where neither says
/// anything, as on Cartesian scans without oversampling, sigma is 0, unknown; data without noise have rounding for
/// noise, or none. noise_level_of_edges always finds something, signal at worst.
/// @param excerpt  of this k-space
NoiseLevel certain_noise(const AllCoils& kspace, const Trajectory& trajectory, const KspaceExcerpt& excerpt,
                         const PerAxis<Index>& matrix_size);

}  // namespace recon
