#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Smooths with a Gaussian of the given standard deviation in voxels along each axis, boundaries free: weights add up
/// to 1 over what lies inside. @param values  [x y z], overwritten
void smooth(PerAxis<Index> matrix_size, double width_voxels, std::vector<double>& values);

/// |grad|^2, the mean over the axes of the squared differences. @param differences  [x y z axis]
std::vector<double> gradient_energy(std::span<const cfloat> differences, std::size_t voxel_count);

/// The variance that the gradients of an image have from place to place: what an image of it shows, smoothed a little,
/// plus what that image's error leaves out, smoothed much:
///
///     v = G_0.7 |grad rho|^2 + G_4 |grad z|^2
///
/// @param of_image, of_error  gradient_energy of rho and of a sample z of its error, [x y z]
/// @return [x y z], positive; all 1 where both are zero
std::vector<double> local_variance(PerAxis<Index> matrix_size, std::vector<double> of_image,
                                   std::vector<double> of_error);

}  // namespace recon
