#pragma once

#include <vector>

#include "app/reconstruction/context/reconstruction_context.hpp"
#include "app/reconstruction/frame_result.hpp"

namespace recon {

/// Images of all frames of a scan where a term of the options ties the frames of a slice together (llr): those of a
/// slice are solved for at once, each with its own data. All ranks call it.
/// @param frames  those of the context's scan; k-space that is not in memory is loaded a slice at a time
/// @return as `reconstruct`, in the order of the frames
/// @throws UsageError if a slice has one frame
std::vector<FrameResult> reconstruct_series(const ReconstructionContext& context, std::vector<Frame>& frames);

/// The same of the slice with the most frames, for a forecast: nothing is loaded, and the images are nobody's.
void follow_series(const ReconstructionContext& context);

}  // namespace recon
