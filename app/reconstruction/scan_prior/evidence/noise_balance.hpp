#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "app/reconstruction/scan_prior/evidence/scan_statistics.hpp"
#include "core/mri/priors/scan_noise.hpp"
#include "core/operators/even_grid.hpp"

namespace recon {

/// Where the noise of a scan's samples has gone by an image: into what the image leaves over, and into the image.
struct NoiseBalance {
    const ScanStatistics& statistics;
    double left = 0;   ///< |E rho - d|^2, samples unweighted
    double taken = 0;  ///< energy that it has taken, by a sample z of its error: 2 Re <n, E z> - |E z|^2

    double energy() const { return left + taken; }
    /// |E rho - s|^2 + |n|^2 as it is expected, s the signal without noise: what is left over, and twice what was taken
    /// (Stein's unbiased estimate of risk [Stein1981]; for images of MRI [Ramani2012]).
    double risk() const;
};

/// 2 Re <n, E z> - |E z|^2 of a sample z of an image's error. @param noise  E^H sqrt(w) sigma n that it was made with
double noise_taken(const FrameProblem& problem, ConstArrayView error, ConstArrayView noise);

/// Of an image beside a first one, whose balance is known: without weights
///
///     |E rho - d|^2 = |E rho_1 - d|^2 + Re <rho - rho_1, A (rho + rho_1) - 2 E^H d>,    A = E^H E,
///
/// which is one product with A, where another residual is a transform of all coils. That is made where the tolerance of
/// A says next to nothing of what is left, as without noise.
/// @param error, noise  as in noise_taken
NoiseBalance balance_beside(const FrameProblem& problem, const NoiseBalance& of_first, const Array& first,
                            ConstArrayView image, ConstArrayView error, ConstArrayView noise);

/// The part t of the second of two images for which t second + (1 - t) first is expected to be nearest to the signal
/// in k-space: with r(t) = |E rho - d|^2 + 2 taken, which is quadratic, t = 1/2 + (r(0) - r(1)) / (2 |E difference|^2).
/// @return 0 to 1; 1 if the images are the same there
double share_of_least_risk(const FrameProblem& problem, const NoiseBalance& of_first, const NoiseBalance& of_second,
                           ConstArrayView difference);

/// Degrees of freedom that an image takes in the shells, by the response c / (c + p) of the circulant approximation.
/// @param of_data  c, at the points of the grid  @param of_prior p, shell_of_grid  of its octant
/// @param voxel_count  of the image
std::vector<double> taken_in_shells(const KspaceShells& shells, const EvenGrid& grid,
                                    std::span<const std::uint32_t> shell_of_grid, const std::vector<float>& of_data,
                                    const std::vector<double>& of_prior, double voxel_count);

/// Of the white part, sigma^2.
struct NoiseBounds {
    double least = 0;  ///< that of noise acquisitions, or what the sums are good to
    double most = 0;
};

/// The noise that explains what is left over in the shells, numbers less degrees of freedom; these are scaled to be as
/// many in all as the sample of the error tells.
/// @param residuals  |E rho - d|^2 of the shells  @param freedom  that the image has taken in them (taken_in_shells)
/// @param noise  that it was made with
ScanNoise found_noise(const NoiseBalance& balance, const std::vector<double>& residuals, std::vector<double> freedom,
                      const ScanNoise& noise, const PowerSpectrum& spectrum, const NoiseBounds& bounds);

}  // namespace recon
