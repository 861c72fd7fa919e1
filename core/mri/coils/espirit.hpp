#pragma once

#include <optional>

#include "core/mri/coils/calibration_region.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

struct EspiritOptions {
    /// Kernel in Cartesian samples of k-space along each axis; 0: half of the calibration radius, at most 6
    Index kernel_width = 0;
    /// Eigenvalue below which maps are set to 0; below 0: the one that minimises the expected error
    double crop = -1;
    /// Whose maps are wanted; none: all
    std::optional<Share> coils = {};
};

/// How maps came about, for the log.
struct EspiritReport {
    Index kernel_width = 0;   ///< along the longest axis
    Index patch_count = 0;    ///< rows of the calibration matrix
    Index column_count = 0;   ///< columns: points of the kernel times coils
    Index rank = 0;           ///< singular vectors that count as signal
    double threshold = 0;     ///< smallest singular value of these, relative to the largest
    double noise = 0;         ///< standard deviation of calibration k-space as seen in the rest of the spectrum
    double crop = 0;          ///< eigenvalue below which maps are 0
    double cropped_part = 0;  ///< of the voxels
};

/// Coil maps by ESPIRiT [Uecker 2014]: k-space of the coils lies in the row space of its calibration matrix, of patches
/// of Cartesian k-space; seen in the image domain, the maps are at every voxel the eigenvector of eigenvalue 1 of
///
///     G(r) = sum_q C(q)^T exp(-i 2 pi q.r),   C[c,c'](q) = sum over k - k' = q of P[(k,c),(k',c')] / (points k),
///
/// with P the projection on that row space, k and k' in the kernel, here the points of an ellipsoid. G is evaluated at
/// the voxels themselves, without interpolation.
///
/// Singular values count as signal above the edge of what the noise gives [Marchenko 1967], its level taken
/// from the smaller ones, and above 1e-3 of the largest. Cropping minimises Stein's estimate of the squared error of
/// the calibration image projected on the maps, after [Iyer 2020]: voxels of eigenvalues whose signal is below the
/// noise. Phases are those relative to the principal component of the coils.
/// @return [x y z coil], of unit root-sum-of-squares where they are not cropped
/// @throws InputError if calibration k-space is zero
std::vector<cfloat> espirit_maps(const CalibrationKspace& calibration, const PerAxis<Index>& matrix_size,
                                 const EspiritOptions& options, EspiritReport* report = nullptr);

/// What that takes besides its arguments and the maps.
std::size_t espirit_bytes(const CalibrationRegion& region, Index coil_count, const PerAxis<Index>& matrix_size,
                          const EspiritOptions& options);

}  // namespace recon
