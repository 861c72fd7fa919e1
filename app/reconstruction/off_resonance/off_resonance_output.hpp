#pragma once

#include <vector>

#include "core/base/named_array.hpp"
#include "core/fourier/off_resonance_maps.hpp"

namespace recon {

/// The maps that were corrected, [x y z], for the image file: those that are not empty.
std::vector<NamedArray> off_resonance_for_file(const OffResonanceMaps& maps, const PerAxis<Index>& matrix_size);

}  // namespace recon
