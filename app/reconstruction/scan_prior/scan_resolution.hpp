#pragma once

#include <vector>

#include "app/reconstruction/problem/frame_problem.hpp"
#include "core/mri/priors/local_variance.hpp"

namespace recon {

/// Side of a voxel that holds as many degrees of freedom as the data leave, in voxels: (H(0) / mean H)^(1/d) with H =
/// c / (c + p), the response to the data in the circulant approximation.
/// @param of_data c, eigenvalues  @param of_prior p times `variance`, likewise  @param axis_count d
double equivalent_width(const std::vector<double>& of_data, const std::vector<double>& of_prior, Index axis_count,
                        double variance = 1);

/// Of (1 - share) of an image of one width and `share` of one of another: degrees of freedom add up.
double mixed_width(double first, double second, double share, Index axis_count);

/// In voxels.
struct EffectiveResolution {
    double in_tissue = 0;  ///< at the median voxel of the object
    double at_edges = 0;   ///< at its upper twentieth
};

/// Of an image whose gradients were given the variance v(r) (`local_term`).
EffectiveResolution local_resolution(const FrameProblem& problem, const std::vector<double>& of_data,
                                     const LocalVariance& variance, double noise_variance, ConstArrayView image,
                                     Index axis_count);

}  // namespace recon
