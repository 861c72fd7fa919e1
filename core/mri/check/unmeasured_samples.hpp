#pragma once

#include <span>
#include <vector>

#include "core/mri/all_coils.hpp"

namespace recon {

/// Samples of a frame that hold nothing: zeros in all coils, with which arrays are filled where nothing was measured
/// and which noise never is, or weights of 0.
struct UnmeasuredSamples {
    Index before = 0, after = 0;  ///< at both ends of every readout that holds anything, as of a partial echo
    std::vector<Index> readouts;  ///< that hold nothing, ascending

    bool is_empty() const { return before == 0 && after == 0 && readouts.empty(); }
};

/// @param length  samples of a readout; 0: they differ, and none is found
UnmeasuredSamples find_unmeasured(const AllCoils& kspace, Index length);
/// @param weights  [sample]; empty: none is found
UnmeasuredSamples find_unweighted(std::span<const float> weights, Index length);

/// Leaves them out: readouts frame by frame, of the ends as much as all frames may do without, so that readouts still
/// have one length.
/// @param of_frames  for each frame; becomes what was left out
void drop_unmeasured(Scan& scan, std::vector<UnmeasuredSamples>& of_frames);

}  // namespace recon
