#pragma once

#include "core/base/types.hpp"
#include "core/mri/priors/power_spectrum.hpp"

namespace recon {

/// What the means over the voxels show of detail finer than the voxels, and no image that is made of the voxels' own
/// frequencies does. The mean over a voxel of an object rho has at the frequency f, in cycles per voxel, the transform
///
///     sum_m a(f + m) rho(f + m),      a(f) = prod_axis sin(pi f) / (pi f),      m integers,
///
/// of which m = 0 is what the image shows, and the rest has the variance expected under P that is returned. Beyond the
/// last knot P is taken to fall at least as steeply as that of sharp edges. Where noise hides the frequency f,
/// P beyond it is a guess, and counts as far as f is seen, P(f) / (P(f) + noise).
/// @param noise_power  of the image at all frequencies, as P
/// @param factors  from cycles per field of view to those of P, KspaceShells::factors; 0 for an axis of one voxel
/// @return sum over the voxels, P being |sum_r rho(r) exp(-i 2 pi k.r)|^2
double unresolved_detail(const PowerSpectrum& power, double noise_power, PerAxis<Index> matrix_size,
                         const PerAxis<double>& factors);

}  // namespace recon
