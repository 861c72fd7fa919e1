// Unroll: two, four, eight or sixteen samples in one pass of the loop. Counting, comparing and jumping are shared, and
// the instructions of several samples fill each other's waiting times. Lesson: with 64 warps to choose from, the
// waiting times were filled already; what unrolling does depends on everything else, see Tune.
#include <string>

#include "gpu/ladder/gpu_steps.cuh"
#include "gpu/ladder/tuned_kernel.cuh"

namespace recon::ladder {
namespace {

template <int unroll>
StepRun run(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    return run_tuned(devices, problem, sum, repeats, Tuning{.unroll = unroll});
}

template <int unroll>
Step unroll_step() {
    const std::string by = std::to_string(unroll);
    return {.id = "unroll-" + by,
            .title = "Unroll by " + by,
            .change = "FastTrig reduced, " + by + " samples in one pass of the loop",
            .bound = "special functions",
            .run = run<unroll>};
}

}  // namespace

Step unroll_2_step() { return unroll_step<2>(); }
Step unroll_4_step() { return unroll_step<4>(); }
Step unroll_8_step() { return unroll_step<8>(); }
Step unroll_16_step() { return unroll_step<16>(); }

}  // namespace recon::ladder
