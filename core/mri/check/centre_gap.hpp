#pragma once

#include <string>

#include "core/mri/scan.hpp"

namespace recon {

/// Distance of the nearest sample to the centre of k-space of those that are further away than `beyond`; infinite if
/// there is none.
/// @param trajectory  in cycles per field of view, as distances are
double nearest_sample(const Trajectory& trajectory, const PerAxis<Index>& matrix_size, double beyond);

/// Is there a gap about the centre of k-space, across which low frequencies cannot tell where the object ends, or
/// whether samples lie a place further along? A sample at the very centre does not close it.
bool has_gap_at_centre(const Trajectory& trajectory, const PerAxis<Index>& matrix_size);

/// Is the centre of k-space, where most of an image is, left out, as by readouts from the centre out that start late
/// (the dead time of ZTE)? Objects within their field of view, and coils whose sensitivities are known, bridge a gap of
/// two cycles; of more the image's brightness over the field is a guess. Maps of the scan's own coils are made from the
/// centre, and bridge none.
/// @return one sentence where that is so, else ""
std::string gap_at_centre(const Scan& scan, const Frame& first);

}  // namespace recon
