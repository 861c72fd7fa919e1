// Reflected: no ghost cells and so no kernel to fill them; a cell at the edge takes the neighbour on its other side.
// Blocks of 32 x 8 cells. Lesson: half of the launches were for a thousandth of the cells.
#include "gpu/heart/stepwise.cuh"

namespace recon::heart {
namespace {

constexpr int block_columns = 32, block_rows = 8;

__global__ void reflected_kernel(ExcitationRates<double> m, const double* __restrict__ e, double* __restrict__ e_next,
                                 double* __restrict__ r, int size) {
    const int column = blockIdx.x * block_columns + threadIdx.x, row = blockIdx.y * block_rows + threadIdx.y;
    if (column < size && row < size) {
        const Index start = Index{row} * size, c = start + column;
        double recovery = r[c];
        const double diffused =
            diffuse(m, e[c], e[start + before(column)], e[start + after(column, size)],
                    e[Index{before(row)} * size + column], e[Index{after(row, size)} * size + column]);
        e_next[c] = react<Division::exact>(m, diffused, recovery);
        r[c] = recovery;
    }
}

}  // namespace

void launch_reflected(const StepLaunch& step) {
    const dim3 blocks(tiles_of(step.size, block_columns), tiles_of(step.size, block_rows));
    reflected_kernel<<<blocks, dim3(block_columns, block_rows), 0, step.stream>>>(step.m, step.before, step.after,
                                                                                  step.r, step.size);
    check_launch();
}

Step reflected_step() {
    return {.id = "reflected",
            .title = "Reflection by index",
            .change = "no ghost cells, and no kernel for them",
            .bound = "memory; the time between kernels",
            .make = make_stepwise<SheetLayout::plain, launch_reflected>};
}

}  // namespace recon::heart
