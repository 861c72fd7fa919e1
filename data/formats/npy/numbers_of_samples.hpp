#pragma once

#include <string>
#include <vector>

#include "core/mri/scan.hpp"
#include "data/formats/npy/npy_reader.hpp"
#include "data/reading/trajectory_file.hpp"

namespace recon {

std::vector<Index> without_ones(std::vector<Index> extents);

/// Numbers of samples, such as their times: one list for all frames, or one of each; none.
class NumbersOfSamples {
public:
    /// In the axes that positions or k-space have, those of each frame with the frame before them, or one after the
    /// other. @throws InputError for other axes
    NumbersOfSamples(const NpyArrays& arrays, const std::string& name, const StoredTrajectory& trajectory,
                     const StoredArray& kspace, Index frame_count);

    SharedList<float> of_frame(std::size_t index) const {
        return lists_.empty() ? SharedList<float>() : lists_[lists_.size() > 1 ? index : 0];
    }

private:
    std::vector<SharedList<float>> lists_;
};

}  // namespace recon
