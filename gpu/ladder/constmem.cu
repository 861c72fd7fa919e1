// ConstMem: every thread of a warp reads the same sample at the same time, which is what constant memory is made for:
// its cache gives one value to all 32 in one step, and needs no address arithmetic. It holds 64 KiB, so the samples
// come in chunks, one launch each, and the running sum goes through global memory between launches.
//
// What was the best place on the first cards is a trap today: the first level of this cache is small and made for the
// constants of a program. With 256 threads a block, as in the other steps, the blocks of a multiprocessor stand at
// different samples and drive each other's out: three times slower than RegAlloc on an H200. With 1024 threads and 256
// samples they walk together. Tune shows the cliff.
#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

constexpr Tuning launch;
constexpr LoopCounts counts{{59, 2}, {66, 2}};

__constant__ float constant_memory[launch.samples_per_launch * sizeof(Sample<Sum::fhd>) / sizeof(float)];

template <Sum sum>
__global__ void constmem_kernel(int sample_count, VoxelArrays voxels, Index voxel_count, Accumulate accumulate,
                                ComplexPair* results) {
    const Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (n >= voxel_count) {
        return;
    }
    const auto* samples = reinterpret_cast<const Sample<sum>*>(constant_memory);
    const float x = voxels.x[n], y = voxels.y[n], z = voxels.z[n];
    ComplexPair result = accumulate == Accumulate::yes ? results[n] : ComplexPair{0, 0};
#pragma unroll 1
    for (int m = 0; m < sample_count; ++m) {
        const float phase = two_pi * (samples[m].kx * x + samples[m].ky * y + samples[m].kz * z);
        result += times_phase_factor(samples[m].value, cosf(phase), sinf(phase));
    }
    results[n] = result;
}

template <Sum sum>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    const DeviceBuffer<Sample<sum>> samples(gpu.queue, std::span<const Sample<sum>>(sample_structures<sum>(problem)));
    const DeviceVoxels voxels(gpu.queue, problem);
    DeviceBuffer<ComplexPair> results(gpu.queue, problem.voxel_count());
    const Index launches = (samples.size() + launch.samples_per_launch - 1) / launch.samples_per_launch;
    StepRun result = gpu.measure(repeats, loop_work(problem, sum, counts, 0, launches), [&] {
        for (Index first = 0; first < samples.size(); first += launch.samples_per_launch) {
            const Index count = std::min(launch.samples_per_launch, samples.size() - first);
            check(cudaMemcpyToSymbolAsync(constant_memory, samples.data() + first, count * sizeof(Sample<sum>), 0,
                                          cudaMemcpyDeviceToDevice, gpu.queue.stream()));
            constmem_kernel<sum><<<blocks_of(results.size(), launch.threads), launch.threads, 0, gpu.queue.stream()>>>(
                static_cast<int>(count), voxels.arrays(), results.size(), first > 0 ? Accumulate::yes : Accumulate::no,
                results.data());
            check_launch();
        }
    });
    result.values = results_of(gpu.queue, results);
    return result;
}

}  // namespace

Step constmem_step() {
    return {
        .id = "constmem",
        .title = "ConstMem: samples in constant memory",
        .change =
            "samples in chunks through constant memory, whose cache serves a whole warp at once; 1024 threads a block",
        .bound = "software sine and cosine",
        .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
            return sum == Sum::q ? run<Sum::q>(devices, problem, repeats) : run<Sum::fhd>(devices, problem, repeats);
        }};
}

}  // namespace recon::ladder
