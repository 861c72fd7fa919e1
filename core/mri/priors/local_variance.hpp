#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Smooths with a Gaussian of the given standard deviation in voxels along each axis, boundaries free: weights add up
/// to 1 over what lies inside. @param values  [x y z], overwritten
void smooth(PerAxis<Index> matrix_size, double width_voxels, std::vector<double>& values);

/// The variance that the gradients of an image have from place to place, along each axis: what an image of it shows,
/// smoothed a little, plus what that image's error leaves out, smoothed much:
///
///     v_a = G_0.7 |grad_a rho|^2 + G_4 |grad_a z|^2
///
/// An edge is steep across and smooth along itself: the axes differ.
/// @param of_image, of_error  differences of rho and of a sample z of its error, [x y z axis]
/// @return [x y z axis], positive; all 1 where both are zero
std::vector<double> local_variance(PerAxis<Index> matrix_size, std::span<const cfloat> of_image,
                                   std::span<const cfloat> of_error);

}  // namespace recon
