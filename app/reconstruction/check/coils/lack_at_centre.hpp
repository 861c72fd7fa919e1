#pragma once

#include <string>

#include "core/backend/backend.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// What the samples around the centre of k-space do not tell: the image's brightness over the field (gap_at_centre), or
/// the coils whose maps are to be estimated (how_coils_are_told). @return a sentence; empty: nothing is wrong there
std::string lack_at_centre(const Scan& scan, const Frame& first, Backend& backend);

}  // namespace recon
