#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"
#include "data/simulation/phantoms/ellipsoid_phantom.hpp"

namespace recon {

/// A function of position that is a finite sum of complex exponentials: sum_q a_q exp(i 2 pi q.r), r in fields of view.
/// Several functions share the frequencies q.
struct TrigonometricMaps {
    std::vector<PerAxis<double>> frequencies;  ///< q, cycles per field of view
    Index map_count = 0;
    std::vector<cdouble> coefficients;  ///< [frequency map]

    cdouble value(Index map, const PerAxis<double>& position) const;
};

/// One map that is 1 everywhere.
TrigonometricMaps constant_map();

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
