#pragma once

#include "core/backend/array.hpp"

namespace recon {

/// Smooths with a Gaussian of the given standard deviation in voxels along each axis, boundaries free: weights add up
/// to 1 over what lies inside. @param width_voxels  at most 20; 0 leaves all as it is  @param values  images [x y z] or
/// [x y z batch], overwritten
void smooth(double width_voxels, ArrayView values);
/// |values / unit|^2, smoothed, in their place. @param unit  about their own size, as single precision may not hold
/// their fourth powers; 0: the result is 0
void to_smoothed_energy(double unit, double width_voxels, ArrayView values);

/// v = scale * relative. Squares of data in any unit would leave the range of single precision.
struct LocalVariance {
    Array relative;  ///< [x y z axis], positive, about 1 on the average
    double scale = 1;
};

/// The variance that the gradients of an image have from place to place, along each axis: what an image of it shows,
/// smoothed a little, plus a part of what that image's error leaves out, smoothed much:
///
///     v_a = G_0.5 |grad_a rho|^2 + G_4 |grad_a z|^2 / 4
///
/// An edge is steep across and smooth along itself: the axes differ.
/// @param of_image, of_error  differences of rho and of a sample z of its error, [x y z axis]; overwritten
/// @return all 1 where both are zero
LocalVariance local_variance(ArrayView of_image, ArrayView of_error);

}  // namespace recon
