#pragma once

#include "core/backend/coil_matrices.hpp"
#include "core/mri/coils/calibration_region.hpp"

namespace recon {

/// Low-resolution images of the coils with a Hann window over the region, cos^2(pi |k| / 2K), as a field of positions
/// that can be evaluated on any grid:  m_c(r) = scale sum_k window(k) d[k,c] exp(+i 2 pi k.r).
TrigonometricField calibration_images(const CalibrationKspace& calibration, double scale);

/// sum of the squares of that window: what noise of variance 1 in k-space has in a voxel
double calibration_noise_gain(const CalibrationKspace& calibration);

/// Cross-correlations of calibration k-space, sum_k d[k+q,c] conj(d[k,c']): in the image domain, products of the coils'
/// images. Lags are weighted by a triangle, which smooths the products with a kernel that is nowhere negative.
CoilMatrixField local_covariance(const CalibrationKspace& calibration);
/// Of its lags.
PerAxis<Index> covariance_degree(const CalibrationRegion& region);

/// Principal component of the coils: eigenvector of the largest eigenvalue of sum_k d d^H. [coil]
std::vector<cfloat> principal_component(const CalibrationKspace& calibration);

}  // namespace recon
