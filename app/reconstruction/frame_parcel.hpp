#pragma once

#include <vector>

#include "app/reconstruction/frame_result.hpp"
#include "core/parallel/rank_groups.hpp"
#include "core/processes/process_group.hpp"
#include "solver/archive.hpp"

namespace recon {

/// All of a result but its plan of memory, which is that of the first device, and its voxels, which get their number.
void visit(Archive& archive, FrameResult& result);
void visit(Archive& archive, MeasuredAccuracy& accuracy);
void visit(Archive& archive, EdgeLeakage& leakage);
void visit(Archive& archive, AlignmentReport& report);
void visit(Archive& archive, PriorReport& report);

/// Brings the results of all processes to rank 0; all of them call it.
/// @param results  in the order of the scan's frames, those of this process complete
/// @param frames_of_groups  the frames of each group of ranks, whose first has the results
void gather_frames(std::vector<FrameResult>& results, const std::vector<std::vector<std::size_t>>& frames_of_groups,
                   const RankGroups& groups, ProcessGroup& processes);

}  // namespace recon
