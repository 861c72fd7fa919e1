#pragma once

#include <string>

#include "core/fourier/trajectory.hpp"

namespace recon {

/// Is the centre of k-space, where most of an image is, left out, as by readouts from the centre out that start late
/// (the dead time of ZTE)? Objects within their field of view, and coils, bridge a gap of two cycles; of more the
/// image's brightness over the field is a guess.
/// @param trajectory  in cycles per field of view
/// @return one sentence where no sample lies around the very centre up to more than 2.2 cycles, else ""
std::string gap_at_centre(const Trajectory& trajectory, const PerAxis<Index>& matrix_size);

}  // namespace recon
