#pragma once

#include <vector>

#include "core/mri/all_coils.hpp"

namespace recon {

/// Numbers that fill an array where nothing was measured: exact zeros in all coils, which noise never is.
struct UnmeasuredSamples {
    Index before = 0, after = 0;  ///< at both ends of every readout that holds anything, as of a partial echo
    std::vector<Index> readouts;  ///< that hold nothing, ascending

    bool is_empty() const { return before == 0 && after == 0 && readouts.empty(); }
    /// The samples of readouts of `length`, ascending.
    std::vector<Index> samples(Index sample_count, Index length) const;
};

/// @param length  samples of a readout; 0: they differ, and none is found
UnmeasuredSamples find_unmeasured(const AllCoils& kspace, Index length);

}  // namespace recon
