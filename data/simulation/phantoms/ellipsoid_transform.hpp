#pragma once

#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"
#include "data/simulation/phantoms/ellipsoid_phantom.hpp"
#include "data/simulation/phantoms/trigonometric_maps.hpp"

namespace recon {

/// Fourier transform of phantom times map, at every sample:
///
///     integral rho(r) S_c(r) exp(-i 2 pi k.r) dr = sum_q a_qc F(k - q),   F the transform of the phantom.
///
/// F of an ellipsoid with semi-axes in the columns of A, u = 2 pi |A^T k|, V its volume (area, length) times intensity:
///
///     exp(-i 2 pi k.centre) V g(u),   g = 3 (sin u - u cos u) / u^3 [Koay 2007],  2 J1(u) / u [VandeWalle 2000],
///                                     sin u / u   in three, two and one dimensions.
///
/// Independent of the number of threads.
/// @return [sample map], double; lengths in fields of view, so F(0) is a volume in units of the field of view
std::vector<cdouble> transform(const EllipsoidPhantom& phantom, const TrigonometricMaps& maps,
                               const Trajectory& trajectory);

}  // namespace recon
