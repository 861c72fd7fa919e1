#pragma once

#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// How the heart of the phantom beats.
struct HeartBeatOptions {
    double beats_a_minute = 60;
    double scar_degrees = 0;      ///< of the wall that no wave reaches, on its far side from the pacemaker
    std::string activation_file;  ///< frames of `recon heart`, whose time is one beat; empty: a paced beat
};

/// How strongly the muscle around a short-axis ring contracts at any time of a beat: waves of excitation on a sheet
/// (core/heart) pass the ring, a circle on it; tension follows the excitation of a place, and neighbours pull along.
///
///     ds/dt = rate(E) (E - s),   s the tension over its largest value, t in the model's unit of 12.9 ms
///
/// in the form of [NashPanfilov2004], with a rate for the rise where E > 0.05 and another for the fall.
class HeartBeat {
public:
    static constexpr Index point_count = 96;  ///< around the ring

    /// @throws UsageError for a rate or a scar that cannot be, InputError for the file
    explicit HeartBeat(const HeartBeatOptions& options);

    double duration_s() const { return duration_s_; }
    /// @param time_s  any: beats follow each other. @return [point], 0 to 1, at equal angles from x towards y
    std::vector<double> contraction(double time_s) const;

private:
    double duration_s_ = 0;
    Index step_count_ = 0;
    std::vector<double> contraction_;  ///< [point step], points fastest, evenly over a beat
};

}  // namespace recon
