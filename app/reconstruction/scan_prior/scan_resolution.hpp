#pragma once

#include <optional>
#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "app/reconstruction/scan_prior/evidence/scan_evidence.hpp"
#include "app/reconstruction/scan_prior/response_moments.hpp"
#include "app/reconstruction/scan_prior/spectrum_search.hpp"
#include "app/reconstruction/scan_prior/terms/sharpened_gradient.hpp"

namespace recon {

/// Degrees of freedom of a voxel in the mean, tr(A^-1 E^H E) / N, as a sample z of the image's error tells them: E z
/// n^H E = A^-1 E^H E sigma^2. They are good to (N h)^-1/2. With weights, whose square is then between E^H and E, they
/// are not known.
/// @param taken  <E^H n, z>, or what else has that mean
std::optional<double> mean_freedom(const ScanEvidence& evidence, const FoundSpectrum& found, double taken);

/// Side of a voxel that holds as many degrees of freedom as the data leave, in voxels: (H(0) / h)^(1/d), H = c / (c +
/// p) the response to the data in the circulant approximation.
/// @param freedom h; at most mean H, which gaps in k-space make too large, and that where it is unknown
/// @param axis_count d
double equivalent_width(const ResponseMoments& response, std::optional<double> freedom, Index axis_count);

/// Of (1 - share) of an image of one width and `share` of one of another: degrees of freedom add up.
double mixed_width(double first, double second, double share, Index axis_count);

/// In voxels.
struct EffectiveResolution {
    double in_tissue = 0;  ///< at the median voxel of the object
    double at_edges = 0;   ///< at its twentieth that the prior binds least
};

/// Of an image whose gradients have a variance from place to place. The prior is taken for circulant around each voxel,
/// as stiff as its diagonal is there (1 / v, averaged over the voxel's pairs). Gaps in k-space, which the circulant
/// approximation smooths over, make it stiffer by one factor everywhere, until the degrees of freedom add up. Never
/// softer: maps that are estimated from noise, beside the object, find degrees of freedom there.
/// @param of_data  eigenvalues, at the points of circulant_grid  @param gradient, differences  those of `local_term`
/// @param image  its large voxels are the object
/// @param freedom  mean_freedom
EffectiveResolution local_resolution(const FrameProblem& problem, const std::vector<float>& of_data,
                                     const SharpenedGradient& gradient, const FiniteDifferences& differences,
                                     ConstArrayView image, std::optional<double> freedom, Index axis_count);

}  // namespace recon
