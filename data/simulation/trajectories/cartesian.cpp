#include <cmath>

#include "data/simulation/trajectories/readout.hpp"
#include "data/simulation/trajectories/trajectory_kind.hpp"

namespace recon {
namespace {

/// Lines along the first axis at all integer positions of the others; with undersampling R, the lines of the second
/// axis whose number times 1/R passes an integer (every R-th for a whole R), k = 0 among them.
DesignedTrajectory design_cartesian(const TrajectoryRequest& request) {
    const PerAxis<Index>& n = request.matrix_size;
    const LineReadout line = line_readout(request, n[0]);
    const auto count = static_cast<Index>(line.positions.size());
    TrajectoryBuilder builder(request, count, count / 2, line.dwell_time_s);
    const auto kept = [&](Index k) {
        const double r = request.undersampling;
        return n[1] == 1 || std::ceil(static_cast<double>(k) / r) < std::ceil(static_cast<double>(k + 1) / r);
    };
    for (Index z = 0; z < n[2]; ++z) {
        for (Index y = 0; y < n[1]; ++y) {
            if (!kept(y - n[1] / 2)) {
                continue;
            }
            for (const double position : line.positions) {
                builder.add_k({position * static_cast<double>(n[0]) / 2, static_cast<double>(y - n[1] / 2),
                               static_cast<double>(z - n[2] / 2)});
            }
        }
    }
    return builder.finish();
}

const Registration registered_cartesian(trajectory_kinds(),
                                        TrajectoryKind{
                                            .name = "cartesian",
                                            .explanation = "lines on a regular grid, in 1, 2 or 3 dimensions",
                                            .default_dimension = 1,
                                            .design = design_cartesian});

}  // namespace
}  // namespace recon
