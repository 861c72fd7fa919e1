#pragma once

#include <vector>

#include "core/fourier/trajectory.hpp"

namespace recon {

/// How data d of a part of the readouts differ from what an image explains of them, p:
/// d = g exp(i phase - i 2 pi k.shift) p.
struct Drift {
    double log_gain = 0;             ///< log g
    double phase = 0;                ///< radians
    PerAxis<double> shift{0, 0, 0};  ///< of the object, fields of view
};

enum class DriftKind {
    gain_and_phase,
    any  ///< of the object's place, too
};

/// Of equal parts of the readouts, in their order, against the mean of all, as a drift that all share is the image's:
/// linear least squares of d - p, near enough where drifts are small; at most a factor e, half a turn and a quarter of
/// the field of view.
/// @param kspace, explained  d and p, [sample coil]; samples of which nothing is explained do not count
/// @param readout_length  samples of a readout, which belong to one part
std::vector<Drift> drifts_of_parts(const Trajectory& trajectory, const std::vector<cfloat>& kspace,
                                   const std::vector<cfloat>& explained, Index readout_length, int part_count,
                                   DriftKind kind);

/// Data as they would be without these.
void take_back(const std::vector<Drift>& drifts, const Trajectory& trajectory, Index readout_length,
               std::vector<cfloat>& kspace);

}  // namespace recon
