// Shared: the other place for the samples. A block copies a tile of them into its shared memory, one sample a thread,
// waits, and goes through the tile. One launch for all samples; two barriers a tile.
#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

constexpr int threads = 256;  ///< and samples of a tile
constexpr LoopCounts counts{{57, 2, 4.0 / threads}, {68, 2, 5.0 / threads}};

template <Sum sum>
__global__ void __launch_bounds__(threads) shared_kernel(SampleArrays samples, Index sample_count, VoxelArrays voxels,
                                                         Index voxel_count, ComplexPair* results) {
    __shared__ Sample<sum> tile[threads];
    const Index n = blockIdx.x * Index{threads} + threadIdx.x;
    const Index safe = n < voxel_count ? n : voxel_count - 1;  // all threads of a block meet at the barriers
    const float x = voxels.x[safe], y = voxels.y[safe], z = voxels.z[safe];
    ComplexPair result{0, 0};
    for (Index first = 0; first < sample_count; first += threads) {
        const Index mine = first + threadIdx.x;
        __syncthreads();
        if (mine < sample_count) {
            tile[threadIdx.x] = {samples.kx[mine], samples.ky[mine], samples.kz[mine], value_of<sum>(samples, mine)};
        }
        __syncthreads();
        const int count = static_cast<int>(min(Index{threads}, sample_count - first));
#pragma unroll 1
        for (int m = 0; m < count; ++m) {
            const float phase = two_pi * (tile[m].kx * x + tile[m].ky * y + tile[m].kz * z);
            result += times_phase_factor(tile[m].value, cosf(phase), sinf(phase));
        }
    }
    if (n < voxel_count) {
        results[n] = result;
    }
}

template <Sum sum>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    const DeviceSamples samples(gpu.queue, problem, sum);
    const DeviceVoxels voxels(gpu.queue, problem);
    DeviceBuffer<ComplexPair> results(gpu.queue, problem.voxel_count());
    const double requested = sizeof(Sample<sum>) / static_cast<double>(threads);
    StepRun result = gpu.measure(repeats, loop_work(problem, sum, counts, requested), [&] {
        shared_kernel<sum><<<blocks_of(results.size(), threads), threads, 0, gpu.queue.stream()>>>(
            samples.arrays(), problem.sample_count(), voxels.arrays(), results.size(), results.data());
        check_launch();
    });
    result.values = results_of(gpu.queue, results);
    return result;
}

}  // namespace

Step shared_step() {
    return {.id = "shared",
            .title = "Shared: samples in shared memory",
            .change = "samples in tiles through shared memory instead of constant memory",
            .bound = "software sine and cosine",
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return sum == Sum::q ? run<Sum::q>(devices, problem, repeats)
                                     : run<Sum::fhd>(devices, problem, repeats);
            }};
}

}  // namespace recon::ladder
