#pragma once

#include <cstddef>
#include <map>

#include "core/mri/scan.hpp"

namespace recon {

/// The frame of each slice that shows its coils best, by the slice's label: the first to be reconstructed, unless
/// another of a few, spread over the series, has as many samples and twice the energy at the centre of k-space beside
/// that at its edge. What is found of the coils in one frame - maps, how many signals they hold - serves all frames,
/// and a first frame that is nearly dark, or mostly noise, shows little of it. Frames on demand are loaded one at a
/// time, and released, but for the scan's first.
/// @return of slices of several frames
std::map<Index, std::size_t> clearest_frames(Scan& scan);

}  // namespace recon
