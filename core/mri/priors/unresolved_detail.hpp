#pragma once

#include <span>

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
///
/// A prior takes away detail with the frequency that shows it: P / (P + n) of the amplitude is left beside a white
/// noise n. As a mean over the voxels' frequencies that is too little where voxels are long along one axis, across
/// whose faces of the band most of the detail is folded: there P is large.
/// @param noises  n of parts of the image that hold as much of the detail each; 0 where the data decide all
/// @param factors   from cycles per field of view to those of P, KspaceShells::factors; 0 for an axis of one voxel
/// @return sum over the voxels, P being |sum_r rho(r) exp(-i 2 pi k.r)|^2
double unresolved_detail(const PowerSpectrum& power, std::span<const double> noises, PerAxis<Index> matrix_size,
                         const PerAxis<double>& factors);

/// The white noise n beside which P / (P + n) is `response` in the mean over the voxels' frequencies; 0 for a response
/// of 1 and more.
/// @param response  positive
double noise_of_response(const PowerSpectrum& power, double response, PerAxis<Index> matrix_size,
                         const PerAxis<double>& factors);

}  // namespace recon
