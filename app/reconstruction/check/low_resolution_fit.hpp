#pragma once

#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// A scan small enough to be fitted many times: the first frame on a coarse matrix over the same field of view, with as
/// many pairs of neighbouring readouts as the coarse image needs.
/// @param scan  whose first frame is in memory or can be loaded
Scan calibration_probe(const Scan& scan);

/// How well a probe can be explained by an image.
struct LowResolutionFit {
    double residual = 0;           ///< |E rho - d| / |d|, both weighted by the square root of density weights
    double noise = 0;              ///< what of that noise of the standard deviation `noise_sigma` leaves
    double samples_per_voxel = 0;  ///< of all coils, inside the band of the coarse matrix
};

/// Coil maps of a probe, [x y z coil] of unit root-sum-of-squares, from the centre of its k-space; their common phase
/// is that of the image.
std::vector<cfloat> maps_of_centre(const Scan& probe, Backend& backend);

/// Four iterations of density weighted conjugate gradients in Toeplitz form, with the probe's coil maps, or with maps
/// from the centre of its k-space, of at most eight of its strongest coils.
/// @param noise_sigma  sqrt(E|n|^2) of one sample; 0 where unknown
/// @return residual 1 where no sample lies inside the band or none holds signal
LowResolutionFit fit_at_low_resolution(const Scan& probe, Backend& backend, double noise_sigma);

}  // namespace recon
