#pragma once

#include <memory>
#include <string>

#include "core/base/types.hpp"
#include "core/fourier/trajectory.hpp"

namespace recon {

/// By how much gradients come late, in samples of a readout, for the image's axes. Amplifiers that delay the axes of
/// the magnet differently act on oblique slices across axes: a symmetric matrix [Rosenzweig 2018, eq. 3].
struct GradientDelays {
    PerAxis<double> samples{0, 0, 0};  ///< x, y, z; negative: too early
    PerAxis<double> cross{0, 0, 0};    ///< xy, xz, yz

    /// Element of the symmetric matrix.
    double at(std::size_t row, std::size_t column) const;
    std::string text() const;
};

/// Delays found in the data, and the part of these that they explain.
struct DelayEstimate {
    GradientDelays delays;
    double disagreement_before = 0;  ///< root mean square over that of the data, as positions are
    double disagreement_after = 0;   ///< with the delays
};

/// Where the samples lie when gradients come late: component i is k_i(s) + sum_j (k_j(s - T_ij) - k_j(s)).
/// Readouts that begin at the centre of k-space wait there (start_of_readout).
/// @param samples_per_readout  readouts of equal length. @throws InputError if it is 0
std::shared_ptr<const Trajectory> delayed(const Trajectory& trajectory, Index samples_per_readout,
                                          const GradientDelays& delays);

}  // namespace recon
