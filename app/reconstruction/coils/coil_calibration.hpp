#pragma once

#include <span>

#include "app/reconstruction/coils/calibration_images.hpp"
#include "app/reconstruction/coils/calibration_off_resonance.hpp"
#include "core/backend/backend.hpp"
#include "core/mri/all_coils.hpp"
#include "core/mri/coils/calibration_region.hpp"
#include "core/operators/sampling/fourier_sums_choice.hpp"

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

/// Images of a region from the samples around it: those of least squares on a coarse grid over the same field of view,
/// by conjugate gradients in Toeplitz form on the backend.
///
/// Gaps that are too wide for that are filled by what the coils show together (calibration_gaps).
/// @param off_resonance  on calibration_matrix, of these samples; none: they count as taken at one moment
CalibrationImages grid_calibration(Backend& backend, const CalibrationSamples& samples,
                                   const std::optional<CalibrationOffResonance>& off_resonance = {});

/// What that occupies on the backend at its peak. @param sample_count  in the region
std::size_t grid_calibration_bytes(const Backend& backend, const CalibrationRegion& region, Index sample_count,
                                   Index coil_count, const std::optional<CalibrationOffResonance>& off_resonance,
                                   std::size_t piece_bytes);

}  // namespace recon
