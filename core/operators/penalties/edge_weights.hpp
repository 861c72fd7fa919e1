#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Axes along which voxels have neighbours: those with more than one voxel, in the order x, y, z.
std::vector<int> axes_with_neighbours(PerAxis<Index> matrix_size);

/// What a first difference along each axis is multiplied by, so that it stands for a gradient in space: smallest voxel
/// size over the axis' own, 1 for isotropic voxels or where a size is unknown (0).
PerAxis<double> gradient_factors(PerAxis<Index> matrix_size, const PerAxis<double>& voxel_size_mm);

/// Standard deviation of the noise in a voxel, where the image holds signal: second differences along all axes at once,
/// which leave nothing of flat and sloping tissue and little of edges along an axis [Immerkaer 1996]; their lower
/// quartile, as an edge can but raise them. Voxels below a tenth of the 99th percentile do not count: in air a
/// magnitude has other noise. Too high, by up to a factor of two, where edges are everywhere.
/// @param image  [x y z], magnitudes. @return 0 if there is no noise, or no place without edges and air
double voxel_noise(std::span<const float> image, PerAxis<Index> matrix_size);

/// Root mean square of the differences of neighbours, all pairs alike. @param values  [x y z]
double difference_rms(std::span<const float> values, PerAxis<Index> matrix_size);

/// Weights of the pairs of neighbours in the anatomical prior [Haldar 2008]:
///
///     w_ij = 1 / sqrt(1 + (|ref_i - ref_j| / s)^2)
///
/// near 1 where the reference is flat and s / |ref_i - ref_j| across its edges.
/// @param reference   [x y z], magnitudes
/// @param edge_scale  s, in the unit of the reference, positive
/// @return [x y z axis] with the axes of `axes_with_neighbours`; entry n belongs to voxel n and the next one along the
///         axis, and is 0 for the last voxel, which has none
std::vector<float> edge_weights(std::span<const float> reference, PerAxis<Index> matrix_size, double edge_scale);

}  // namespace recon
