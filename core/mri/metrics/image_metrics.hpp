#pragma once

#include <span>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// How far an image is from a reference. docs/judging.md has the formulas and what they are worth.
///
/// With image a, reference b, mask M and s = sum_M conj(a) b / sum_M |a|^2, the complex scale that fits a to b on M:
struct ImageComparison {
    double nrmse;         ///< |a - b| / |b|, all voxels
    double nrmse_scaled;  ///< |s a - b| / |b|, all voxels
    double nrmse_mask;    ///< |s a - b| / |b|, voxels of the mask
    double psnr_db;       ///< 20 log10(max |b| / rms(s a - b)), all voxels; infinite for equal images
    double snr_db;        ///< 20 log10(|b| / |s a - b|), voxels of the mask; infinite for equal images
    double ssim;          ///< mean structural similarity of |s a| and |b|, all voxels [Wang 2004]
    cdouble scale;        ///< s; 0 if the image is zero on the mask
    Index voxel_count;
    Index mask_voxel_count;
};

/// Where the reference holds signal: |b| above 5 % of its own 99th percentile. Never empty for a non-zero reference.
std::vector<bool> signal_mask(std::span<const cfloat> reference);

/// Compares two volumes [x y z] on the reference's signal mask.
/// @throws InputError if the sizes differ, a voxel is not finite, or the reference is zero everywhere
ImageComparison compare_images(std::span<const cfloat> image, std::span<const cfloat> reference,
                               PerAxis<Index> matrix_size);

/// How far computed numbers are from exact ones, as they are: no scale is fitted.
struct Deviation {
    double largest;      ///< max |a - b|
    double relative_l2;  ///< |a - b| / |b|
    double psnr_db;      ///< 20 log10(max |b| / rms(a - b)); infinite for equal numbers
    double snr_db;       ///< 20 log10(|b| / |a - b|); infinite for equal numbers
};

/// @throws ShapeError if the lengths differ or there are none
Deviation deviation(std::span<const cfloat> found, std::span<const cdouble> exact);

/// Mean structural similarity of two real volumes [x y z] over all voxels [Wang 2004]: K1 = 0.01, K2 = 0.03, Gaussian
/// window of standard deviation 1.5 voxels cut at 11, along every axis (3-D for volumes, 2-D for single slices),
/// renormalised at the borders.
/// @param peak  the dynamic range L, positive. @throws ShapeError if the sizes do not match
double mean_ssim(std::span<const float> image, std::span<const float> reference, PerAxis<Index> matrix_size,
                 double peak);

}  // namespace recon
