#pragma once

#include <functional>
#include <vector>

#include "data/simulation/trajectories/trajectory_design.hpp"

namespace recon {

/// A path through the unit ball, which stands for the band of k-space: k_d = (N_d / 2) path_d. Parameter 0 to 1.
using UnitPath = std::function<PerAxis<double>(double)>;

/// Keeps samples off the upper end of the band [-N/2, N/2), which does not belong to it.
constexpr double band_edge = 1 - 1e-6;

/// Gradient limits in unit-ball coordinates: the axis with the smallest voxel decides.
struct UnitLimits {
    double speed_per_s;
    double acceleration_per_s2;
};
UnitLimits unit_limits(const TrajectoryRequest& request);

/// When a path is run through as fast as the limits allow, from rest at its start to any speed at its end.
///
/// Along the arc length s, with curvature c(s), the speed v meets v <= limit and (dv/dt)^2 + (c v^2)^2 <= limit^2; the
/// fastest profile is the smaller of a forward and a backward integration [Lustig 2008].
class ReadoutTiming {
public:
    /// @param steps  pieces that the path is divided into, of equal parameter difference
    ReadoutTiming(const UnitPath& path, const UnitLimits& limits, Index steps);

    double duration_s() const { return time_.back(); }
    double parameter_at(double time_s) const;  ///< @param time_s from 0 to duration_s()

private:
    std::vector<double> arc_;  ///< at the ends of the pieces
    std::vector<double> speed_;
    std::vector<double> time_;
};

/// Samples on a path: path(parameters[j]) is read at j * dwell_time_s after the path's start.
struct SampledPath {
    std::vector<double> parameters;
    double dwell_time_s;
};

/// Runs a set of paths that start at rest with one number of samples: the slowest path decides, the others are slowed
/// down in proportion. With `samples_per_readout` given the dwell time follows; otherwise samples lie one dwell time
/// and at most 1/oversampling cycles per field of view apart.
std::vector<SampledPath> sample_paths(const std::vector<UnitPath>& paths, const TrajectoryRequest& request);

/// A straight readout through all of k-space at constant speed (the ramps before and after it are not sampled):
/// positions (j - floor(S/2)) / (S/2) in (-1, 1).
struct LineReadout {
    std::vector<double> positions;
    double dwell_time_s;  ///< as asked for, or as long as the gradient amplitude needs
};
LineReadout line_readout(const TrajectoryRequest& request, Index matrix_size);

/// Collects readouts of equal length.
class TrajectoryBuilder {
public:
    /// @param centre_sample  index of the sample at the centre of k-space, read at the echo time
    TrajectoryBuilder(const TrajectoryRequest& request, Index samples_per_readout, Index centre_sample,
                      double dwell_time_s);

    /// One sample of the readout under way, in unit-ball coordinates.
    void add(const PerAxis<double>& unit);
    /// The same with k in cycles per field of view.
    void add_k(const PerAxis<double>& k);
    DesignedTrajectory finish();

private:
    PerAxis<Index> matrix_size_;
    double first_sample_time_s_;
    DesignedTrajectory design_;
};

/// Largest matrix size of the axes present.
Index largest_extent(const PerAxis<Index>& matrix_size);

/// max(1, round(value)), as a count; @throws UsageError if it exceeds a sane number
Index at_least_one(double value);

}  // namespace recon
