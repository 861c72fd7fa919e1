#include "app/studies/stone2008/stone_scan.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "data/simulation/simulate_scan.hpp"

namespace recon::stone {

Scan simulate(Index size, Index sample_count, double snr, std::uint64_t seed) {
    if (size < 2 || sample_count < size) {
        throw UsageError("study stone2008: `size` takes 2 voxels or more, `samples` as many as `size` or more");
    }
    SimulationOptions options;
    options.trajectory = "cones";
    options.request.matrix_size = {size, size, size};
    options.coil_count = 1;
    options.snr = snr;
    options.seed = seed;
    const Index at_nyquist = design_trajectory(options.trajectory, options.request).trajectory.sample_count();
    // Readouts and their length both grow as 1 / sqrt(undersampling).
    options.request.undersampling = static_cast<double>(at_nyquist) / static_cast<double>(sample_count);
    const Index readouts = design_trajectory(options.trajectory, options.request).readout_count;
    options.request.samples_per_readout = std::max<Index>(2, (sample_count + readouts / 2) / readouts);

    Simulation simulation = simulate_scan(options);
    const Frame& frame = simulation.scan.frames.front();
    return {options.request.matrix_size,
            *frame.trajectory,
            frame.kspace,
            std::move(simulation.truth),
            simulation.design.readout_count,
            simulation.design.samples_per_readout};
}

}  // namespace recon::stone
