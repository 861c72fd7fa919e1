#pragma once

#include <vector>

namespace recon {

/// The value at which `fraction` of the sorted values lies below, without interpolation; 0 for an empty list.
float percentile(std::vector<float> values, double fraction);

/// What a display shows as white: the 99.5th percentile of the magnitudes above the background (5 % of the 99th
/// percentile), so that a few hot voxels do not darken the picture. Positive; 1 for an image without signal.
/// Magnitudes that are not finite do not count.
float display_maximum(std::vector<float> magnitudes);

}  // namespace recon
