// Base: the loops interchanged. One thread takes one voxel and goes through all samples: no two threads write to the
// same place, and there are as many threads as voxels. Everything stays in global memory, in arrays of structures, the
// running sum too: eight loads and two stores a pair. Caches, which the first cards did not have, soften that.
#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

constexpr int threads = 256;
constexpr LoopCounts counts{{75, 2, 11}, {82, 2, 12}};

template <Sum sum>
__global__ void base_kernel(const Sample<sum>* samples, Index sample_count, Voxel* voxels, Index voxel_count) {
    const Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (n >= voxel_count) {
        return;
    }
    voxels[n].result = {0, 0};
#pragma unroll 1
    for (Index m = 0; m < sample_count; ++m) {
        nothing_stays_in_registers();
        const Sample<sum>& k = samples[m];
        Voxel& r = voxels[n];
        const float phase = two_pi * (k.kx * r.x + k.ky * r.y + k.kz * r.z);
        r.result += times_phase_factor(k.value, cosf(phase), sinf(phase));
    }
}

template <Sum sum>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    const DeviceBuffer<Sample<sum>> samples(gpu.queue, std::span<const Sample<sum>>(sample_structures<sum>(problem)));
    DeviceBuffer<Voxel> voxels(gpu.queue, std::span<const Voxel>(voxel_structures(problem)));
    // A thread reads its voxel and its result, and writes the result; its warp reads one sample.
    const double requested = sizeof(Voxel) + sizeof(ComplexPair) + sizeof(Sample<sum>) / 32.0;
    StepRun result = gpu.measure(repeats, loop_work(problem, sum, counts, requested), [&] {
        base_kernel<sum><<<blocks_of(voxels.size(), threads), threads, 0, gpu.queue.stream()>>>(
            samples.data(), samples.size(), voxels.data(), voxels.size());
        check_launch();
    });
    result.values = results_of(gpu.queue, voxels);
    return result;
}

}  // namespace

Step base_step() {
    return {.id = "base",
            .title = "Base: one thread a voxel",
            .change = "loops interchanged: no atomics; all data in global memory, arrays of structures",
            .bound = "loads and stores of global memory (the caches), software sine and cosine",
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return sum == Sum::q ? run<Sum::q>(devices, problem, repeats)
                                     : run<Sum::fhd>(devices, problem, repeats);
            }};
}

}  // namespace recon::ladder
