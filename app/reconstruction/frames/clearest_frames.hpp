#pragma once

#include <cstddef>
#include <map>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// Frames of a slice that show its coils. What is found of the coils - maps, how many signals they hold - serves all
/// frames, and a first frame that is nearly dark, or mostly noise, shows little of it.
struct ClearFrames {
    /// The first to be reconstructed, unless another of a few, spread over the series, has as many samples and twice
    /// the energy at the centre of k-space beside that at its edge.
    std::size_t clearest = 0;
    /// Those of the others looked at that show them about as well: something may be elsewhere in these, or only there.
    std::vector<std::size_t> others;

    std::vector<std::size_t> all() const {
        std::vector<std::size_t> frames{clearest};
        frames.insert(frames.end(), others.begin(), others.end());
        return frames;
    }
};

/// By the slice's label. Frames on demand are loaded one at a time, and released, but for the scan's first.
/// @return of slices of several frames
std::map<Index, ClearFrames> clearest_frames(Scan& scan);

}  // namespace recon
