// V1 of the document: a kernel for the ghost cells and one for each formula, a block a row and a thread a column. The
// document has as many threads as columns, and so no more than 1024 columns; here a thread goes on to the next 1024.
// Lesson: E and R go through memory three times a step.
#include "gpu/heart/stepwise.cuh"

namespace recon::heart {
namespace {

__global__ void diffusion_kernel(double alpha, const double* before, double* after, int size, Index pitch) {
    for (int column = 1 + threadIdx.x; column <= size; column += blockDim.x) {
        const Index c = (blockIdx.x + 1) * pitch + column;
        after[c] =
            before[c] + alpha * (before[c + 1] + before[c - 1] - 4 * before[c] + before[c + pitch] + before[c - pitch]);
    }
}

__global__ void excitation_kernel(ExcitationRates<double> m, double* e, const double* r, int size, Index pitch) {
    for (int column = 1 + threadIdx.x; column <= size; column += blockDim.x) {
        const Index c = (blockIdx.x + 1) * pitch + column;
        e[c] += m.minus_dt * (fma(m.k, e[c], m.minus_k_a) * e[c] * (e[c] - 1) + e[c] * r[c]);
    }
}

__global__ void recovery_kernel(ExcitationRates<double> m, const double* e, double* r, int size, Index pitch) {
    for (int column = 1 + threadIdx.x; column <= size; column += blockDim.x) {
        const Index c = (blockIdx.x + 1) * pitch + column;
        r[c] +=
            (m.minus_dt_epsilon + m.minus_dt_m1 * r[c] / (e[c] + m.m2)) * (r[c] + fma(m.k, e[c], m.minus_k_b1) * e[c]);
    }
}

/// Outermost cells of columns by the first block, of rows by the second.
__global__ void mirror_kernel(double* e, int size, Index pitch) {
    for (int i = 1 + threadIdx.x; i <= size; i += blockDim.x) {
        if (blockIdx.x == 0) {
            e[i * pitch] = e[i * pitch + 2];
            e[i * pitch + size + 1] = e[i * pitch + size - 1];
        } else {
            e[i] = e[2 * pitch + i];
            e[(size + 1) * pitch + i] = e[(size - 1) * pitch + i];
        }
    }
}

int threads_for(int size) { return size < 1024 ? (size + 31) / 32 * 32 : 1024; }

void launch(const StepLaunch& step) {
    const int threads = threads_for(step.size);
    launch_mirror(step);
    diffusion_kernel<<<step.size, threads, 0, step.stream>>>(step.m.alpha, step.before, step.after, step.size,
                                                             step.pitch);
    check_launch();
    excitation_kernel<<<step.size, threads, 0, step.stream>>>(step.m, step.after, step.r, step.size, step.pitch);
    check_launch();
    recovery_kernel<<<step.size, threads, 0, step.stream>>>(step.m, step.after, step.r, step.size, step.pitch);
    check_launch();
}

}  // namespace

void launch_mirror(const StepLaunch& step) {
    mirror_kernel<<<2, threads_for(step.size), 0, step.stream>>>(step.before, step.size, step.pitch);
    check_launch();
}

Step v1_separate_step() {
    return {.id = "v1-separate",
            .title = "V1: a kernel for each formula",
            .change = "the serial program's loops as kernels, a block a row and a thread a column",
            .bound = "memory, three passes a step; the time between kernels",
            .bytes_a_cell = 72,
            .published = Published{21.36, 159.3, 182},
            .make = make_stepwise<SheetLayout::ghosts, launch>};
}

}  // namespace recon::heart
