#pragma once

#include <string>

#include "data/files/run_record.hpp"

namespace recon {

/// A number of a record that each frame of a series has of its own: the largest.
struct LargestOfFrames {
    double value = 0;  ///< 0 where the record does not have it
    std::size_t frame = 0, frame_count = 1;

    LargestOfFrames(const RunRecord& record, const char* name);
    /// " (frame 3, the largest of 8)"; empty where there is one
    std::string of_frame() const;
};

}  // namespace recon
