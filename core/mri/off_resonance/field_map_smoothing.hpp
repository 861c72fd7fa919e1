#pragma once

#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// What became smooth.
struct FieldMapSmoothing {
    Index spikes = 0;    ///< voxels that were set to the median of those around them
    Index smoothed = 0;  ///< voxels that were noisy
    int rounds = 0;      ///< of smoothing
};

/// Takes from a measured map what no field has: spikes, where there was little signal or the phase was unwrapped
/// wrongly, and noise. Voxels that turn like none beside them blur the image by as much as a map that is missing, and
/// least squares puts into them what nothing else explains. Both part a voxel from the quadratic that fits a window
/// best, 5 voxels along each axis [Savitzky 1964], and are taken away only where they part it by more than the
/// tolerance:
///
/// 1. Spikes also part from the median of the window, 3 wide in a volume, by more than the tolerance and by more than
///    four times what nine in ten voxels do, and those about them; they are set to that median.
/// 2. Where the root mean square over the window is more than the tolerance, voxels are set to the quadratic: up to
///    four times, which is a wider window. Not where neighbours along an axis part from it alike: that is a field which
///    is steeper, as about air in tissue (docs/decisions/0044-right-field-maps.md).
///
/// A field that is cubic over 5 voxels stays as it is, and so do voxels whose window reaches beyond the grid or beyond
/// what was measured: continue the map first (extrapolate_field_map).
/// @param map_hz  [x y z]; 0: not measured, stays so
/// @param tolerance_hz  that does not matter over the readout, above 0
FieldMapSmoothing smooth_field_map(std::vector<float>& map_hz, const PerAxis<Index>& matrix_size, double tolerance_hz);

}  // namespace recon
