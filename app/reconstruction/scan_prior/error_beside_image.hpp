#pragma once

#include "core/backend/array.hpp"

namespace recon {

/// |values|^2 around each voxel, smoothed by a Gaussian, in units of `unit`^2: their own size, whose fourth power
/// single precision might not hold.
Array energy_around(ConstArrayView values, double width_voxels, double unit);

/// |sample|, of an error beside an image that is solved for with the same prior, where the image holds more than the
/// sample; where it holds less, as in air, about what it holds:
///
///     sqrt(sum_r e a / (e + a)),    e and a the energies of sample and image around a voxel.
///
/// The prior's own energy is that of image and error. Where there is no object the image is nothing but its error, and
/// a prior that was read off an image with noise expects more.
double size_beside_image(ConstArrayView sample, ConstArrayView image);

}  // namespace recon
