#pragma once

#include <algorithm>
#include <cmath>
#include <memory>
#include <vector>

#include "app/reconstruction/check/fits/weighted_plan.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// How well a probe can be explained by an image.
struct LowResolutionFit {
    double residual = 1;           ///< |E rho - d| / |d|, both weighted by the square root of density weights
    double noise = 0;              ///< what of that noise of the standard deviation `noise_sigma` leaves; 0: unknown
    double samples_per_voxel = 0;  ///< of all coils, inside the band

    double in_noise() const { return noise > 0 ? residual / noise : residual; }  ///< where that is known
};

/// The part of a residual that noise does not explain.
inline double unexplained(double residual, double noise) {
    return std::sqrt(std::max(0.0, residual * residual - noise * noise));
}

/// Whether it leaves no more than an error of the noise's estimate.
inline bool is_at_the_noise(const LowResolutionFit& fit) { return fit.noise > 0 && fit.in_noise() < 1.05; }

/// Whether it leaves so little that there is nothing to be found: what rounding and few iterations leave of good data.
inline bool leaves_nothing(const LowResolutionFit& fit) { return fit.residual < 0.015; }

enum class FitDetail {
    coarse,  ///< samples of the image's band: what lies at its edges is in the residual
    sharp    ///< of two thirds of it, twice the iterations: what is left is noise, or a mistake
};

/// Of the samples that a fit explains.
PerAxis<Index> band_of_fit(const PerAxis<Index>& matrix_size, FitDetail detail);
int iterations_of_fit(FitDetail detail);

/// Fits of probes (calibration_probe) that differ in one thing or another.
class LowResolutionFits {
public:
    /// @param noise_sigma  sqrt(E|n|^2) of one sample; 0 where unknown
    LowResolutionFits(Backend& backend, double noise_sigma, FitDetail detail = FitDetail::coarse)
        : backend_(backend), noise_sigma_(noise_sigma), detail_(detail) {}

    /// A few iterations of density weighted conjugate gradients in Toeplitz form, with the probe's coil maps, or with
    /// maps from the centre of its k-space.
    /// @param explained  gets E rho, [sample coil] of the probe, 0 outside of its band
    /// @return residual 1 where no sample lies inside the band or none holds signal
    LowResolutionFit fit(const Scan& probe, std::vector<cfloat>* explained = nullptr);

private:
    Backend& backend_;
    double noise_sigma_;
    FitDetail detail_;
    std::shared_ptr<const WeightedPlan> first_;  ///< of the first trajectory, which most readings share
};

}  // namespace recon
