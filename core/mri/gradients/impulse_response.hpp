#pragma once

#include <array>
#include <memory>
#include <span>
#include <vector>

#include "core/fourier/trajectory.hpp"

namespace recon {

/// What gradients do when they are asked for a short pulse, as it was measured on the system [Vannesjo 2013]: the
/// gradient along axis i is sum_j sum_m weights[3 i + j][m] g_j(t - times_s[m]).
struct GradientImpulseResponse {
    std::vector<double> times_s;  ///< of the taps; negative: before the pulse
    std::array<std::vector<double>, 9>
        weights;  ///< dimensionless, [tap]; empty: none. Of an axis on itself they sum to 1
};

/// Where samples lie when gradients respond so; positions are integrals of gradients, which they follow alike.
/// @param sample_times_s  [sample], even steps within each readout. Beyond a readout its positions go on straight.
/// @throws InputError without times or equal readouts
std::shared_ptr<const Trajectory> filtered(const Trajectory& trajectory, std::span<const float> sample_times_s,
                                           Index samples_per_readout, const GradientImpulseResponse& response);

}  // namespace recon
