#pragma once

#include <vector>

namespace recon {

/// The value at which `fraction` of the sorted values lies below, without interpolation; 0 for an empty list.
float percentile(std::vector<float> values, double fraction);

/// What a display shows as white: 1.1 times the 99.5th percentile of the magnitudes above the background (5 % of the
/// 99th percentile), or the largest if that is less: a few hot voxels do not darken the picture, and of the brightest
/// tissue, white matter, in which that percentile lies, nothing is cut off. Positive; 1 for an image without signal.
/// Magnitudes that are not finite do not count.
float display_maximum(std::vector<float> magnitudes);

}  // namespace recon
