#pragma once

#include <vector>

#include "data/simulation/phantoms/ellipsoid_phantom.hpp"

namespace recon {

/// A head with scalp, skull, cerebrospinal fluid, grey and white matter, ventricles, deep nuclei, sulci and lesions;
/// intensities 0 to about 1.3, T1-like. Left-right x, front at negative y, top at positive z.
std::vector<Ellipsoid> brain_ellipsoids();

/// The same head as a sodium image shows it: fluid 1, grey matter 0.36, white matter 0.25. Most edges are those of
/// `brain_ellipsoids`, with other steps; one lesion is in sodium alone, and a lesion, the pallida and fine points that
/// the proton image has are not in this one.
std::vector<Ellipsoid> sodium_ellipsoids();

}  // namespace recon
