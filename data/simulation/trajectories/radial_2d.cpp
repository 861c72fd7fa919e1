#include <cmath>

#include "data/simulation/trajectories/readout.hpp"

namespace recon {

/// Lines through the centre. Nyquist: neighbouring ends lie one cycle per field of view apart, pi N / 2 lines over
/// half a turn. Golden angle: 180 degrees / 1.618, so that any number of successive readouts covers k-space nearly
/// evenly [Winkelmann 2007].
DesignedTrajectory design_radial_2d(const TrajectoryRequest& request, AngleOrder order) {
    const Index extent = largest_extent(request.matrix_size);
    const LineReadout line = line_readout(request, extent);
    const auto count = static_cast<Index>(line.positions.size());
    const Index readouts = request.readouts.value_or(
        at_least_one(std::ceil(pi / 2 * static_cast<double>(extent) / request.undersampling)));
    TrajectoryBuilder builder(request, count, count / 2, line.dwell_time_s);
    const double golden = pi * (std::sqrt(5.0) - 1) / 2;
    for (Index readout = 0; readout < readouts; ++readout) {
        const double angle = order == AngleOrder::golden
                                 ? std::fmod(static_cast<double>(readout) * golden, 2 * pi)
                                 : pi * static_cast<double>(readout) / static_cast<double>(readouts);
        for (const double position : line.positions) {
            builder.add({position * band_edge * std::cos(angle), position * band_edge * std::sin(angle), 0});
        }
    }
    return builder.finish();
}

}  // namespace recon
