#include "gpu/exact/exact_sums_cost.hpp"

#include <algorithm>

namespace recon::exact_sums {

Plan plan_slices(Index blocks, Index steps, double slice_clocks, const DeviceSize& device) {
    constexpr Index most_slices = 64;
    constexpr Index fewest_steps = 8;  // less does not pay for filling the pipeline
    Plan best{0, 0};
    for (Index slices = 1; slices <= std::min(most_slices, std::max<Index>(1, steps / fewest_steps)); ++slices) {
        const Index waves = (blocks * slices + device.multiprocessors - 1) / device.multiprocessors;
        const Index longest = (steps + slices - 1) / slices;
        const double clocks =
            static_cast<double>(waves * longest) * device.step_clocks + static_cast<double>(slices) * slice_clocks;
        if (best.slices == 0 || clocks < best.clocks) {
            best = {clocks, static_cast<int>(slices)};
        }
    }
    return best;
}

double special_clocks_a_pair(Index batch) {
    // Measured on an H200: 5.5 pairs a clock and multiprocessor for one image, 11.5 for four that share the phase.
    constexpr double phase = 0.124;
    constexpr double image = 0.056;
    const Index shared = (batch + 3) / 4;
    return static_cast<double>(shared) * phase + static_cast<double>(batch) * image;
}

}  // namespace recon::exact_sums
