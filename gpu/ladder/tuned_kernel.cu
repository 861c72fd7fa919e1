#include "gpu/ladder/tuned_kernel.cuh"

#include "core/base/error.hpp"
#include "gpu/ladder/phase_reduction.cuh"

namespace recon::ladder {
namespace {

constexpr LoopCounts counts_1{{18, 2}, {25, 2}};
constexpr LoopCounts counts_2{{16.5, 2}, {21, 2}};
constexpr LoopCounts counts_4{{15.25, 2}, {19.75, 2}};
constexpr LoopCounts counts_8{{14.625, 2}, {19.125, 2}};
constexpr LoopCounts counts_16{{14.3125, 2}, {18.8125, 2}};

__constant__ float constant_memory[most_constant_samples * sizeof(Sample<Sum::fhd>) / sizeof(float)];

template <Sum sum, int unroll>
__global__ void tuned_kernel(int sample_count, VoxelArrays voxels, Index voxel_count, Accumulate accumulate,
                             ComplexPair* results) {
    const Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (n >= voxel_count) {
        return;
    }
    const auto* samples = reinterpret_cast<const Sample<sum>*>(constant_memory);
    const float x = voxels.x[n], y = voxels.y[n], z = voxels.z[n];
    ComplexPair result = accumulate == Accumulate::yes ? results[n] : ComplexPair{0, 0};
#pragma unroll unroll
    for (int m = 0; m < sample_count; ++m) {
        const float phase = two_pi * reduced(samples[m].kx * x + samples[m].ky * y + samples[m].kz * z);
        result += times_phase_factor(samples[m].value, __cosf(phase), __sinf(phase));
    }
    results[n] = result;
}

template <Sum sum>
auto kernel_of(const Tuning& tuning) {
    switch (tuning.unroll) {
        case 1: return tuned_kernel<sum, 1>;
        case 2: return tuned_kernel<sum, 2>;
        case 4: return tuned_kernel<sum, 4>;
        case 8: return tuned_kernel<sum, 8>;
        case 16: return tuned_kernel<sum, 16>;
        default: throw UsageError("tuning: no kernel for " + text(tuning) + "; it is unrolled by 1, 2, 4, 8 or 16");
    }
}

template <Sum sum>
StepRun run(const Devices& devices, const Problem& problem, int repeats, const Tuning& tuning) {
    GpuRun gpu(devices);
    const DeviceBuffer<Sample<sum>> samples(gpu.queue, std::span<const Sample<sum>>(sample_structures<sum>(problem)));
    const DeviceVoxels voxels(gpu.queue, problem);
    DeviceBuffer<ComplexPair> results(gpu.queue, problem.voxel_count());
    StepRun result = gpu.measure(repeats, tuned_work(problem, sum, tuning), [&] {
        launch_tuned<sum>(gpu.queue, tuning, samples.data(), samples.size(), voxels.arrays(), results.size(),
                          results.data());
    });
    result.values = results_of(gpu.queue, results);
    result.tuning = tuning;
    return result;
}

}  // namespace

template <Sum sum>
void launch_tuned(CudaQueue& queue, const Tuning& tuning, const Sample<sum>* samples, Index sample_count,
                  VoxelArrays voxels, Index voxel_count, ComplexPair* results) {
    if (tuning.samples_per_launch < 1 || tuning.samples_per_launch > most_constant_samples) {
        throw UsageError("tuning: " + text(tuning) + "; constant memory takes 1 to " +
                         std::to_string(most_constant_samples) + " samples");
    }
    const auto kernel = kernel_of<sum>(tuning);
    for (Index first = 0; first < sample_count; first += tuning.samples_per_launch) {
        const Index count = std::min(tuning.samples_per_launch, sample_count - first);
        check(cudaMemcpyToSymbolAsync(constant_memory, samples + first, count * sizeof(Sample<sum>), 0,
                                      cudaMemcpyDeviceToDevice, queue.stream()));
        kernel<<<blocks_of(voxel_count, tuning.threads), tuning.threads, 0, queue.stream()>>>(
            static_cast<int>(count), voxels, voxel_count, first > 0 ? Accumulate::yes : Accumulate::no, results);
        check_launch();
    }
}
template void launch_tuned<Sum::q>(CudaQueue&, const Tuning&, const Sample<Sum::q>*, Index, VoxelArrays, Index,
                                   ComplexPair*);
template void launch_tuned<Sum::fhd>(CudaQueue&, const Tuning&, const Sample<Sum::fhd>*, Index, VoxelArrays, Index,
                                     ComplexPair*);

Work tuned_work(const Problem& problem, Sum sum, const Tuning& tuning) {
    const Index launches = (problem.sample_count() + tuning.samples_per_launch - 1) / tuning.samples_per_launch;
    const LoopCounts& counts = tuning.unroll == 1   ? counts_1
                               : tuning.unroll == 2 ? counts_2
                               : tuning.unroll == 4 ? counts_4
                               : tuning.unroll == 8 ? counts_8
                                                    : counts_16;
    return loop_work(problem, sum, counts, 0, launches);
}

StepRun run_tuned(const Devices& devices, const Problem& problem, Sum sum, int repeats, const Tuning& tuning) {
    return sum == Sum::q ? run<Sum::q>(devices, problem, repeats, tuning)
                         : run<Sum::fhd>(devices, problem, repeats, tuning);
}

}  // namespace recon::ladder
