// Cooperative: V4's tile in shared memory, loaded by all threads of the block together, rim included. Lesson: the idea
// of V4 was not bad, its loading was; but a first cache does by itself what the tile does.
#include "gpu/heart/stepwise.cuh"

namespace recon::heart {
namespace {

constexpr int block_columns = 32, block_rows = 8;
constexpr int tile_columns = block_columns + 2, tile_rows = block_rows + 2;

__device__ int mirrored(int i, int size) {
    const int inside = i < 0 ? 1 : i;
    return inside < size ? inside : inside == size ? size - 2 : size - 1;  // further out nobody looks
}

__global__ void cooperative_kernel(ExcitationRates<double> m, const double* __restrict__ e, double* __restrict__ e_next,
                                   double* __restrict__ r, int size) {
    __shared__ double tile[tile_rows][tile_columns];
    const int first_column = blockIdx.x * block_columns - 1, first_row = blockIdx.y * block_rows - 1;
    for (int i = threadIdx.y * block_columns + threadIdx.x; i < tile_rows * tile_columns;
         i += block_columns * block_rows) {
        const int y = i / tile_columns, x = i % tile_columns;
        tile[y][x] = e[Index{mirrored(first_row + y, size)} * size + mirrored(first_column + x, size)];
    }
    __syncthreads();
    const int x = threadIdx.x + 1, y = threadIdx.y + 1;
    const int column = first_column + x, row = first_row + y;
    if (column < size && row < size) {
        const Index c = Index{row} * size + column;
        double recovery = r[c];
        const double diffused = diffuse(m, tile[y][x], tile[y][x - 1], tile[y][x + 1], tile[y - 1][x], tile[y + 1][x]);
        e_next[c] = react<Division::exact>(m, diffused, recovery);
        r[c] = recovery;
    }
}

void launch(const StepLaunch& step) {
    const dim3 blocks(tiles_of(step.size, block_columns), tiles_of(step.size, block_rows));
    cooperative_kernel<<<blocks, dim3(block_columns, block_rows), 0, step.stream>>>(step.m, step.before, step.after,
                                                                                    step.r, step.size);
    check_launch();
}

}  // namespace

Step cooperative_step() {
    return {.id = "cooperative",
            .title = "Shared memory, loaded by all threads",
            .change = "the tile of V4 with its rim, every thread loads one or two numbers",
            .bound = "memory; the wait for the tile",
            .make = make_stepwise<SheetLayout::plain, launch>};
}

}  // namespace recon::heart
