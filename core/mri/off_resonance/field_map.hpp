#pragma once

#include <span>
#include <string>
#include <vector>

#include "core/mri/grids/resample.hpp"
#include "core/mri/off_resonance/linear_field.hpp"
#include "core/mri/scan.hpp"

namespace recon {

// Maps of off-resonance in Hz, [x y z]. A value of 0 means: not measured here, as outside of the object.

/// A map on another grid. Voxels count as measured where at least half of what their value comes from is; others are 0.
/// @throws InputError as GridPlacement::of
Resampled<float> resample_field_map(std::span<const float> map_hz, const Geometry& source, const Geometry& target,
                                    const std::string& what);

/// What an extrapolation found.
struct FieldMapFit {
    double measured_fraction = 0;  ///< of the voxels
    LinearField plane;
    double deviation_hz = 0;  ///< of the measured values from the plane, root mean square
};

/// Continues a map beyond its measured voxels, so that it does not jump at the object's rim:
///
///     f = p + g,   p the plane that fits the measured values best,   g = f - p on measured voxels,
///     and beyond   laplacian(g) = g / L^2,   no flux through the border of the grid:
///
/// f goes on continuously and, over the distance L of an eighth of the longest field of view, becomes the plane.
/// Measured values stay as they are.
/// @throws InputError if nothing is measured
FieldMapFit extrapolate_field_map(std::span<float> map_hz, const Geometry& geometry);

struct FieldMapRange {
    double lowest_hz = 0;
    double highest_hz = 0;
    double measured_fraction = 0;  ///< of voxels whose value is not 0
};

FieldMapRange range_of(std::span<const float> map_hz);

/// Between the 5th and 95th percentile of the measured values; 0 if there are none.
double typical_range_hz(std::span<const float> map_hz);

/// Root mean square of measured values beside voxels that are not measured; 0 if there are none.
double rim_jump_hz(std::span<const float> map_hz, const PerAxis<Index>& matrix_size);

/// Largest minus smallest time.
double duration_of(std::span<const float> sample_times_s);

}  // namespace recon
