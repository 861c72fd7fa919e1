// V4 of the document: a tile of E with its rim in shared memory, loaded by one column of threads, which read the whole
// row each while the others wait. Lesson: it was slow because of that, not because shared memory is; see `cooperative`.
// A block of 64 x 64 threads has more than the 1024 that there can be.
#include <array>

#include "gpu/heart/stepwise.cuh"

namespace recon::heart {
namespace {

template <int block>
__global__ void shared_kernel(ExcitationRates<double> m, const double* before, double* after, double* r, int size,
                              Index pitch) {
    __shared__ double tile[block + 2][block + 2];
    const int column = 1 + blockIdx.x * block + threadIdx.x, row = 1 + blockIdx.y * block + threadIdx.y;
    const int first_column = blockIdx.x * block;  // of the tile with its rim
    const int width = size + 2 - first_column < block + 2 ? size + 2 - first_column : block + 2;
    if (threadIdx.x == 0 && row <= size) {
        for (int i = 0; i < width; ++i) {
            tile[threadIdx.y + 1][i] = before[row * pitch + first_column + i];
        }
        if (threadIdx.y == 0) {
            for (int i = 0; i < width; ++i) {
                tile[0][i] = before[(row - 1) * pitch + first_column + i];
            }
        }
        if (threadIdx.y == block - 1 || row == size) {
            for (int i = 0; i < width; ++i) {
                tile[threadIdx.y + 2][i] = before[(row + 1) * pitch + first_column + i];
            }
        }
    }
    __syncthreads();
    if (column <= size && row <= size) {
        const int x = threadIdx.x + 1, y = threadIdx.y + 1;
        const Index c = row * pitch + column;
        double recovery = r[c];
        const double e = diffuse(m, tile[y][x], tile[y][x - 1], tile[y][x + 1], tile[y - 1][x], tile[y + 1][x]);
        after[c] = react<Division::exact>(m, e, recovery);
        r[c] = recovery;
    }
}

template <int block>
void launch(const StepLaunch& step) {
    launch_mirror(step);
    const unsigned tiles = tiles_of(step.size, block);
    shared_kernel<block><<<dim3(tiles, tiles), dim3(block, block), 0, step.stream>>>(step.m, step.before, step.after,
                                                                                     step.r, step.size, step.pitch);
    check_launch();
}

template <int block>
Step step(std::optional<Published> published) {
    return {.id = "v4-shared-" + std::to_string(block),
            .title = "V4: shared memory, blocks of " + std::to_string(block) + " x " + std::to_string(block),
            .change = "a tile of E in shared memory, loaded by one column of threads",
            .bound = "the threads that load, while the others wait",
            .published = published,
            .make = make_stepwise<SheetLayout::ghosts, launch<block>>};
}

Step step_of_64() {
    return {.id = "v4-shared-64",
            .title = "V4: shared memory, blocks of 64 x 64",
            .change = "as before",
            .bound = "threads of a block",
            .impossible = "4096 threads a block; a GPU has at most 1024, and in the document it did not run either"};
}

}  // namespace

std::vector<Step> v4_shared_steps() {
    return {step<4>(Published{45.11, 75.4, 0}), step<8>(Published{27.34, 124.4, 0}),
            step<16>(Published{24.93, 136.4, 0}), step<32>(Published{31.50, 108.0, 0}), step_of_64()};
}

}  // namespace recon::heart
