#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// How well a probe can be explained by an image.
struct LowResolutionFit {
    double residual = 1;           ///< |E rho - d| / |d|, both weighted by the square root of density weights
    double noise = 0;              ///< what of that noise of the standard deviation `noise_sigma` leaves; 0: unknown
    double samples_per_voxel = 0;  ///< of all coils, inside the band of the coarse matrix
};

/// The part of a residual that noise does not explain.
inline double unexplained(double residual, double noise) {
    return std::sqrt(std::max(0.0, residual * residual - noise * noise));
}

/// Fits of probes (calibration_probe) that differ in one thing or another.
class LowResolutionFits {
public:
    /// @param noise_sigma  sqrt(E|n|^2) of one sample; 0 where unknown
    LowResolutionFits(Backend& backend, double noise_sigma) : backend_(backend), noise_sigma_(noise_sigma) {}

    /// Four iterations of density weighted conjugate gradients in Toeplitz form, with the probe's coil maps, or with
    /// maps from the centre of its k-space.
    /// @param explained  gets E rho, [sample coil] of the probe, 0 outside of its band
    /// @return residual 1 where no sample lies inside the band or none holds signal
    LowResolutionFit fit(const Scan& probe, std::vector<cfloat>* explained = nullptr);

private:
    struct Plan;

    Backend& backend_;
    double noise_sigma_;
    std::shared_ptr<const Plan> first_;  ///< of the first trajectory, which most readings share
};

/// Coil maps of a probe, [x y z coil] of unit root-sum-of-squares, from the centre of its k-space; their common phase
/// is that of the image.
std::vector<cfloat> maps_of_centre(const Scan& probe, Backend& backend);

}  // namespace recon
