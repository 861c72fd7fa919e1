// FastTrig: sine and cosine by the special-function units, one instruction each, instead of some twenty multiply-adds.
// Now these units are the bound: 16 results a clock in a multiprocessor, two a pair. Their argument is a phase in turns
// that they cut to a fixed number of bits, so the error grows with the phase: twice, without and with reducing the
// phase to half a turn first (two additions that round, one subtraction; the loop is that of tuned_kernel.cu, which
// Unroll and Tune go on from).
#include "gpu/ladder/gpu_steps.cuh"
#include "gpu/ladder/tuned_kernel.cuh"

namespace recon::ladder {
namespace {

constexpr Tuning launch;
constexpr LoopCounts counts{{15, 2}, {22, 2}};

__constant__ float constant_memory[launch.samples_per_launch * sizeof(Sample<Sum::fhd>) / sizeof(float)];

template <Sum sum>
__global__ void fasttrig_kernel(int sample_count, VoxelArrays voxels, Index voxel_count, Accumulate accumulate,
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
        result += times_phase_factor(samples[m].value, __cosf(phase), __sinf(phase));
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
            fasttrig_kernel<sum><<<blocks_of(results.size(), launch.threads), launch.threads, 0, gpu.queue.stream()>>>(
                static_cast<int>(count), voxels.arrays(), results.size(), first > 0 ? Accumulate::yes : Accumulate::no,
                results.data());
            check_launch();
        }
    });
    result.values = results_of(gpu.queue, results);
    return result;
}

}  // namespace

Step fasttrig_step() {
    return {.id = "fasttrig",
            .title = "FastTrig: hardware sine and cosine",
            .change = "ConstMem with the special-function units, the phase as it is",
            .bound = "special functions and the loop around them",
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return sum == Sum::q ? run<Sum::q>(devices, problem, repeats)
                                     : run<Sum::fhd>(devices, problem, repeats);
            }};
}

Step fasttrig_reduced_step() {
    return {.id = "fasttrig-reduced",
            .title = "FastTrig, phase reduced to half a turn",
            .change = "the phase loses its whole turns before its sine is taken",
            .bound = "special functions and the loop around them",
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return run_tuned(devices, problem, sum, repeats, Tuning{.unroll = 1});
            }};
}

}  // namespace recon::ladder
