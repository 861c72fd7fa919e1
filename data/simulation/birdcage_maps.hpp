#pragma once

#include <vector>

#include "core/base/types.hpp"
#include "data/simulation/phantoms/trigonometric_maps.hpp"

namespace recon {

/// Sensitivity of coil `coil` of `coil_count` that surround the object, in rings where the object has a z axis: the
/// field of a birdcage's segment [Roemer 1990], magnitude 1/distance^2, phase turning with the azimuth seen from the
/// coil; unit root-sum-of-squares over the coils.
/// @param position  fields of view
cdouble birdcage_sensitivity(Index coil, Index coil_count, bool has_z_axis, const PerAxis<double>& position);

/// Birdcage-like maps as trigonometric polynomials, so that phantom times map has an exact Fourier transform: least
/// squares over the field of view, with the frequencies |q| <= 1 cycle per field of view in steps of 1/2 (period: two
/// fields of view, so that nothing forces opposite edges to agree). The polynomials, not the formula they were fitted
/// to, are the coils of a simulated scan; their root-sum-of-squares is 1 to within the error of the fit.
/// @param present  axes that the object has; the others lie at `section`
TrigonometricMaps fit_birdcage_maps(Index coil_count, PerAxis<bool> present, PerAxis<double> section);

/// Values at the voxels. @return [x y z coil]
std::vector<cfloat> evaluate_maps(const TrigonometricMaps& maps, PerAxis<Index> matrix_size, PerAxis<double> section);

}  // namespace recon
