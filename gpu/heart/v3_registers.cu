// V3 of the document: as V2, with E and R of the cell in variables. Lesson: where a cache serves the second read there
// is nothing left to gain; the document lost a percent.
#include "gpu/heart/stepwise.cuh"

namespace recon::heart {
namespace {

__global__ void registers_kernel(ExcitationRates<double> m, const double* before, double* after, double* r, int size,
                                 Index pitch) {
    for (int column = 1 + threadIdx.x; column <= size; column += blockDim.x) {
        const Index c = (blockIdx.x + 1) * pitch + column;
        double recovery = r[c];
        const double e = diffuse(m, before[c], before[c - 1], before[c + 1], before[c - pitch], before[c + pitch]);
        after[c] = react<Division::exact>(m, e, recovery);
        r[c] = recovery;
    }
}

void launch(const StepLaunch& step) {
    launch_mirror(step);
    const int threads = step.size < 1024 ? (step.size + 31) / 32 * 32 : 1024;
    registers_kernel<<<step.size, threads, 0, step.stream>>>(step.m, step.before, step.after, step.r, step.size,
                                                             step.pitch);
    check_launch();
}

}  // namespace

Step v3_registers_step() {
    return {.id = "v3-registers",
            .title = "V3: what a cell needs twice in registers",
            .change = "E and R of a cell are read once and written once",
            .bound = "memory",
            .published = Published{18.12, 187.7, 214.5},
            .make = make_stepwise<SheetLayout::ghosts, launch>};
}

}  // namespace recon::heart
