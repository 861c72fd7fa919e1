#pragma once

#include <algorithm>
#include <memory>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// Sample positions in k-space, in cycles per field of view, components x, y, z (zero where the scan has no such axis).
/// Storage is one array per component, in acquisition order: sample `s` of readout `r` is element
/// `r * samples_per_readout + s` where readouts have equal lengths.
struct Trajectory {
    PerAxis<std::vector<double>> k;

    Index sample_count() const { return static_cast<Index>(k[0].size()); }
};

/// Finds the trajectories that are equal, so that what follows from each is computed once.
class DistinctTrajectories {
public:
    std::shared_ptr<const Trajectory> shared(std::shared_ptr<const Trajectory> trajectory) {
        const auto same = std::find_if(trajectories_.begin(), trajectories_.end(),
                                       [&](const auto& other) { return other->k == trajectory->k; });
        if (same != trajectories_.end()) {
            return *same;
        }
        trajectories_.push_back(trajectory);
        return trajectory;
    }

private:
    std::vector<std::shared_ptr<const Trajectory>> trajectories_;
};

}  // namespace recon
