// V2 of the document: one kernel for all formulas. As it is written E and R stand in memory after every formula, so
// that the next one reads them there; a first cache serves that. Lesson: the passes were the time.
#include "gpu/heart/stepwise.cuh"
#include "gpu/ladder/ladder_device.cuh"

namespace recon::heart {
namespace {

__global__ void fused_kernel(ExcitationRates<double> m, const double* before, double* e, double* r, int size,
                             Index pitch) {
    for (int column = 1 + threadIdx.x; column <= size; column += blockDim.x) {
        const Index c = (blockIdx.x + 1) * pitch + column;
        e[c] = before[c] +
               m.alpha * (before[c + 1] + before[c - 1] - 4 * before[c] + before[c + pitch] + before[c - pitch]);
        ladder::nothing_stays_in_registers();
        e[c] += m.minus_dt * (fma(m.k, e[c], m.minus_k_a) * e[c] * (e[c] - 1) + e[c] * r[c]);
        ladder::nothing_stays_in_registers();
        r[c] +=
            (m.minus_dt_epsilon + m.minus_dt_m1 * r[c] / (e[c] + m.m2)) * (r[c] + fma(m.k, e[c], m.minus_k_b1) * e[c]);
    }
}

void launch(const StepLaunch& step) {
    launch_mirror(step);
    const int threads = step.size < 1024 ? (step.size + 31) / 32 * 32 : 1024;
    fused_kernel<<<step.size, threads, 0, step.stream>>>(step.m, step.before, step.after, step.r, step.size,
                                                         step.pitch);
    check_launch();
}

}  // namespace

Step v2_fused_step() {
    return {.id = "v2-fused",
            .title = "V2: one kernel for all formulas",
            .change = "one pass over memory a step",
            .bound = "memory",
            .published = Published{17.96, 189.4, 216.5},
            .make = make_stepwise<SheetLayout::ghosts, launch>};
}

}  // namespace recon::heart
