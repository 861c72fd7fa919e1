#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "data/files/run_record.hpp"

namespace recon {

struct MergeOptions {
    std::optional<Index> frame_count;  ///< how many there must be in all
    bool gaps = false;                 ///< frames may be missing between those that are there
};

/// Joins image files, as runs write them that each reconstruct some frames of a series, to the file that one run of all
/// frames would have written: frames in the order of their labels, with their baselines and what else there is of each.
/// Coil maps and the like stay with the frame that they were made for.
/// @param record  what is known of the program; gets the records of the runs
/// @return frames of the series
/// @throws InputError if a file is no image of this project, images differ in size or place, two hold the same frame,
/// or frames are missing; UsageError if there are no files
Index merge_series(const std::vector<std::string>& paths, const std::string& out, const MergeOptions& options,
                   const RunRecord& record);

}  // namespace recon
