#pragma once

#include <functional>

#include "core/base/types.hpp"
#include "core/mri/priors/power_spectrum.hpp"

namespace recon {

/// What an image made of the voxels' own frequencies lacks, where data decide, of an object with detail finer than the
/// voxels. The mean over a voxel of an object rho has at the frequency f, in cycles per voxel, the transform
///
///     sum_m a(f + m) rho(f + m),      a(f) = prod_axis sin(pi f) / (pi f),      m integers,
///
/// and the image shows rho(f): the variance of the difference under P is (1 - a(f))^2 P(f) + sum_(m != 0) a^2 P. From
/// the object's value in the voxel's middle, a = 1, it differs by sum_(m != 0) P. An object with sharp edges has means,
/// a smooth one has values: the smaller of both, summed over f, is returned. Beyond the last knot P is taken to fall at
/// least as steeply as that of sharp edges.
/// @param response  the part of this energy that the image shows where its own is P: 1 where the data decide all
/// @param factors   from cycles per field of view to those of P, KspaceShells::factors; 0 for an axis of one voxel
/// @return sum over the voxels, P being |sum_r rho(r) exp(-i 2 pi k.r)|^2
double unresolved_detail(const PowerSpectrum& power, const std::function<double(double power)>& response,
                         PerAxis<Index> matrix_size, const PerAxis<double>& factors);

}  // namespace recon
