// ConstMem: every thread of a warp reads the same sample at the same time, which is what constant memory is made for: its
// cache gives one value to all 32 in one step, and needs no address arithmetic. It holds 64 KiB, so the samples come in
// chunks, one launch each, and the running sum goes through global memory between launches.
#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

constexpr int threads = 256;
constexpr LoopCounts counts{{59, 2}, {66, 2}};

__constant__ float constant_memory[most_constant_samples * sizeof(Sample<Sum::fhd>) / sizeof(float)];

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
    const Index launches = (samples.size() + most_constant_samples - 1) / most_constant_samples;
    StepRun result = gpu.measure(repeats, loop_work(problem, sum, counts, 0, launches), [&] {
        for (Index first = 0; first < samples.size(); first += most_constant_samples) {
            const Index count = std::min(most_constant_samples, samples.size() - first);
            check(cudaMemcpyToSymbolAsync(constant_memory, samples.data() + first, count * sizeof(Sample<sum>), 0,
                                          cudaMemcpyDeviceToDevice, gpu.queue.stream()));
            constmem_kernel<sum><<<blocks_of(results.size(), threads), threads, 0, gpu.queue.stream()>>>(
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
    return {.id = "constmem",
            .title = "ConstMem: samples in constant memory",
            .change = "samples in chunks through constant memory, whose cache serves a whole warp at once",
            .bound = "software sine and cosine",
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return sum == Sum::q ? run<Sum::q>(devices, problem, repeats) : run<Sum::fhd>(devices, problem, repeats);
            }};
}

}  // namespace recon::ladder
