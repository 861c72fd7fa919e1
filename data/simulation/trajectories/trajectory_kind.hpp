#pragma once

#include <string>
#include <string_view>

#include "core/base/registry.hpp"
#include "data/simulation/trajectories/trajectory_design.hpp"

namespace recon {

/// A trajectory that `simulate` offers by name.
struct TrajectoryKind {
    std::string_view name;
    std::string_view explanation;  ///< one line of help
    int smallest_dimension = 1;
    int largest_dimension = 3;
    int default_dimension = 0;  ///< of scans for which no trajectory is named; 0: none
    bool takes_readouts = false;
    bool takes_interleaves = false;
    bool takes_density_power = false;
    /// Readouts of a longer trajectory go on from those of a shorter one: frames of a series have readouts of their
    /// own.
    bool goes_on = false;
    /// Axes with more than one voxel come first in the request's `matrix_size` (design_trajectory sees to it).
    DesignedTrajectory (*design)(const TrajectoryRequest&) = nullptr;
};

/// All trajectories; each registers itself from the file of its design.
Registry<TrajectoryKind>& trajectory_kinds();

/// @param name  empty: the one for so many axes with more than one voxel  @throws UsageError that lists those there are
const TrajectoryKind& trajectory_kind(const std::string& name, const PerAxis<Index>& matrix_size);

}  // namespace recon
