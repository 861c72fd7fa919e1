#pragma once

#include <vector>

#include "core/fourier/trajectory.hpp"

namespace recon {

inline double dot(const PerAxis<double>& a, const PerAxis<double>& b) {
    return a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
}

/// A readout along a line by the centre: sample s is at offset + (first + s step) direction.
struct StraightReadout {
    Index begin = 0;              ///< its first sample among all
    PerAxis<double> direction{};  ///< of length 1
    PerAxis<double> offset{};     ///< of the line from the centre, across it, cycles per FOV
    double first = 0;             ///< cycles per FOV
    double step = 0;              ///< cycles per FOV
    double centre_sample() const { return -first / step; }
};

/// The readouts of a radial trajectory. @throws InputError that says which readout is not straight, passes far from the
/// centre, or has the centre at its end
std::vector<StraightReadout> straight_readouts(const Trajectory& trajectory, Index samples_per_readout);

}  // namespace recon
