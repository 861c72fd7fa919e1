#pragma once

#include <vector>

#include "app/merge/merge_part.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// Warns of what makes two images no frames of one series: another scan, other options.
void compare_runs(const MergePart& part, const MergePart& first);

/// As one run records several frames: the first one at the top, all of them in a list.
/// @param frames  in the order of the series  @param program  what is known of the one that merges
RunRecord merged_record(const std::vector<MergePart>& parts, const std::vector<MergeFrame>& frames,
                        const RunRecord& program);

}  // namespace recon
