// FastTrig: sine and cosine by the special-function units, one instruction each, instead of some twenty multiply-adds.
// Now these units are the bound: 16 results a clock in a multiprocessor, two a pair. Their argument is a phase in turns
// that they cut to a fixed number of bits, so the error grows with the phase: twice, without and with reducing the
// phase to half a turn first (two additions that round, one subtraction).
#include "gpu/ladder/gpu_steps.cuh"
#include "gpu/ladder/phase_reduction.cuh"

namespace recon::ladder {
namespace {

constexpr Tuning launch;
constexpr LoopCounts plain_counts{{15, 2}, {22, 2}};
constexpr LoopCounts reduced_counts{{18, 2}, {25, 2}};

enum class Phase { as_it_is, reduced };

__constant__ float constant_memory[launch.samples_per_launch * sizeof(Sample<Sum::fhd>) / sizeof(float)];

template <Sum sum, Phase phase_form>
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
        float turns = samples[m].kx * x + samples[m].ky * y + samples[m].kz * z;
        if constexpr (phase_form == Phase::reduced) {
            turns = reduced(turns);
        }
        const float phase = two_pi * turns;
        result += times_phase_factor(samples[m].value, __cosf(phase), __sinf(phase));
    }
    results[n] = result;
}

template <Sum sum, Phase phase_form>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    const DeviceBuffer<Sample<sum>> samples(gpu.queue, std::span<const Sample<sum>>(sample_structures<sum>(problem)));
    const DeviceVoxels voxels(gpu.queue, problem);
    DeviceBuffer<ComplexPair> results(gpu.queue, problem.voxel_count());
    const Index launches = (samples.size() + launch.samples_per_launch - 1) / launch.samples_per_launch;
    const LoopCounts& counts = phase_form == Phase::reduced ? reduced_counts : plain_counts;
    StepRun result = gpu.measure(repeats, loop_work(problem, sum, counts, 0, launches), [&] {
        for (Index first = 0; first < samples.size(); first += launch.samples_per_launch) {
            const Index count = std::min(launch.samples_per_launch, samples.size() - first);
            check(cudaMemcpyToSymbolAsync(constant_memory, samples.data() + first, count * sizeof(Sample<sum>), 0,
                                          cudaMemcpyDeviceToDevice, gpu.queue.stream()));
            fasttrig_kernel<sum, phase_form>
                <<<blocks_of(results.size(), launch.threads), launch.threads, 0, gpu.queue.stream()>>>(
                    static_cast<int>(count), voxels.arrays(), results.size(),
                    first > 0 ? Accumulate::yes : Accumulate::no, results.data());
            check_launch();
        }
    });
    result.values = results_of(gpu.queue, results);
    return result;
}

template <Phase phase_form>
StepRun run_either(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    return sum == Sum::q ? run<Sum::q, phase_form>(devices, problem, repeats)
                         : run<Sum::fhd, phase_form>(devices, problem, repeats);
}

}  // namespace

Step fasttrig_step() {
    return {.id = "fasttrig",
            .title = "FastTrig: hardware sine and cosine",
            .change = "ConstMem with the special-function units, the phase as it is",
            .bound = "special functions and the loop around them",
            .run = run_either<Phase::as_it_is>};
}

Step fasttrig_reduced_step() {
    return {.id = "fasttrig-reduced",
            .title = "FastTrig, phase reduced to half a turn",
            .change = "the phase loses its whole turns before its sine is taken",
            .bound = "special functions and the loop around them",
            .run = run_either<Phase::reduced>};
}

}  // namespace recon::ladder
