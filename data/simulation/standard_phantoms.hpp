#pragma once

#include <vector>

#include "data/simulation/ellipsoid_phantom.hpp"

namespace recon {

/// The three-dimensional Shepp-Logan phantom with the geometry and contrast of [Koay 2007, table 1]: ten ellipsoids,
/// intensities 0 to 2.
std::vector<Ellipsoid> shepp_logan_ellipsoids();

/// A head with scalp, skull, cerebrospinal fluid, grey and white matter, ventricles, deep nuclei, sulci and lesions;
/// intensities 0 to about 1.3, T1-like. Left-right x, front at negative y, top at positive z.
std::vector<Ellipsoid> brain_ellipsoids();

}  // namespace recon
