#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/base/named_array.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// By the number of the frame that they go with in the output.
using FrameArrays = std::map<std::size_t, std::vector<NamedArray>>;

/// The maps that are corrected, as they are now, [z y x], for the image file: of each slice with its first frame, or of
/// all frames with the first.
FrameArrays off_resonance_for_file(const Scan& scan, const ReconstructOptions& options);

}  // namespace recon
