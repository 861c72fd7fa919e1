#pragma once

#include <span>
#include <vector>

#include "core/mri/all_coils.hpp"

namespace recon {

/// Samples of a frame that hold nothing: zeros in all coils, with which arrays are filled where nothing was measured
/// and which noise never is, or weights of 0.
struct UnmeasuredSamples {
    Index before = 0, after = 0;   ///< at both ends of every readout that holds anything, as of a partial echo
    std::vector<Index> readouts;   ///< that hold nothing, ascending
    std::vector<Index> elsewhere;  ///< samples, ascending, as of lost packets or readouts that end at different places

    bool is_empty() const { return before == 0 && after == 0 && readouts.empty() && elsewhere.empty(); }
};

/// Samples elsewhere are found where eight numbers are zero together, coils times samples that follow each other, and
/// more where there are other zeros: those may be small whole numbers, or where the transform of a simple object is
/// zero.
/// @param length  samples of a readout; 0: they differ, and samples alone are found
UnmeasuredSamples find_unmeasured(const AllCoils& kspace, Index length);
/// Ends and readouts alone. @param weights  [sample]; empty: none is found
UnmeasuredSamples find_unweighted(std::span<const float> weights, Index length);

/// Leaves them out: readouts and samples elsewhere frame by frame, of the ends as much as all frames may do without, so
/// that readouts still have one length where none are elsewhere.
/// @param of_frames  for each frame; becomes what was left out
void drop_unmeasured(Scan& scan, std::vector<UnmeasuredSamples>& of_frames);

}  // namespace recon
