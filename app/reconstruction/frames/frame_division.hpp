#pragma once

#include <vector>

#include "app/reconstruction/options/reconstruct_options.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// Whether processes take frames each, which needs no messages until the end, rather than coils of every frame: where
/// the options say so, else where the frames do not depend on each other and no process would be idle for long.
/// @throws UsageError if frames are to be divided that a prior ties together
bool divides_frames(const Scan& scan, Index rank_count, const ReconstructOptions& options);

/// The frames of each process: consecutive ones in the order of the work (order_of_work), so that those on one
/// trajectory stay together. Rank 0 has the first frame of the scan.
std::vector<std::vector<std::size_t>> frames_of_ranks(const Scan& scan, int rank_count);

/// Gives back the memory of frames that are not of this process, where they can be read again.
void release_others(Scan& scan, const std::vector<std::size_t>& own);

/// The frame whose k-space the coil maps of a slice are estimated from, whichever frame needs them first.
const Frame& frame_of_coil_maps(const Scan& scan, Index slice);

}  // namespace recon
