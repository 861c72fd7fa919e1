#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

/// What the gradients and the nucleus allow. |G| and |dG/dt| are limited as vectors: any orientation is safe.
struct GradientLimits {
    double amplitude_t_per_m = 0.040;
    double slew_rate_t_per_m_s = 150;
    double gyromagnetic_ratio_hz_per_t = 42.577478518e6;
};

/// What a trajectory shall achieve. Numbers that are absent follow from the Nyquist condition: neighbouring samples and
/// readouts at the edge of k-space lie one cycle per field of view apart, divided or multiplied as the options say.
struct TrajectoryRequest {
    PerAxis<Index> matrix_size{64, 64, 64};
    PerAxis<double> field_of_view_mm{220, 220, 220};
    GradientLimits limits;
    double dwell_time_s = 4e-6;        ///< longer where the gradients need it (line readouts)
    double readout_oversampling = 2;   ///< along a readout at most 1/oversampling cycles per FOV between samples
    double undersampling = 1;          ///< factor by which readouts are fewer than Nyquist's
    std::optional<Index> readouts;     ///< of radial trajectories
    std::optional<Index> interleaves;  ///< of spirals (in a plane) and cones (of the widest cone)
    std::optional<Index> samples_per_readout;
    double density_power = 1;           ///< spirals: radius ~ turns^power; above 1 the centre is denser
    std::optional<double> echo_time_s;  ///< when the centre of k-space is read; absent: as early as the readout allows
};

struct DesignedTrajectory {
    Trajectory trajectory;
    std::vector<float> sample_times_s;  ///< since excitation
    Index readout_count = 0;
    Index samples_per_readout = 0;
    double dwell_time_s = 0;
    std::string kind;  ///< a name of `trajectory_kinds`
};

/// @param name  of `trajectory_kinds`; empty: cones in 3-D, spiral in 2-D, cartesian in 1-D
/// @throws UsageError if the kind is unknown, does not exist in so many dimensions, has no use for an option that was
///         given, or a number is out of range
DesignedTrajectory design_trajectory(const std::string& name, const TrajectoryRequest& request);

}  // namespace recon
