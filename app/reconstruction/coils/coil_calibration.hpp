#pragma once

#include <span>

#include "core/mri/all_coils.hpp"
#include "core/mri/coils/calibration_region.hpp"

namespace recon {

/// The samples of a scan that fall into a region, for gridding.
struct CalibrationSamples {
    CalibrationRegion region;
    Trajectory trajectory;
    std::vector<cfloat> kspace;  ///< [sample coil]
    Index coil_count = 1;
};

/// Voxels of the low-resolution images that the region's k-space is found through.
PerAxis<Index> calibration_matrix(const CalibrationRegion& region);
/// Indices of these samples, those a little beyond the region included.
std::vector<Index> calibration_sample_indices(const CalibrationRegion& region, const Trajectory& trajectory);
/// @throws InputError if none of the samples in the region holds signal
CalibrationSamples calibration_samples(const CalibrationRegion& region, const Trajectory& trajectory,
                                       const AllCoils& kspace);

}  // namespace recon
