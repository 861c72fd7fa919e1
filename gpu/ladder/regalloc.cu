// RegAlloc: a voxel's position and its running sum live in registers for the whole loop. Of the eight loads and two
// stores a pair remain four loads, the same for all threads of a warp.
#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

constexpr int threads = 256;
constexpr LoopCounts counts{{68, 2, 4}, {75, 2, 5}};

template <Sum sum>
__global__ void regalloc_kernel(const Sample<sum>* samples, Index sample_count, Voxel* voxels, Index voxel_count) {
    const Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (n >= voxel_count) {
        return;
    }
    const float x = voxels[n].x, y = voxels[n].y, z = voxels[n].z;
    ComplexPair result{0, 0};
#pragma unroll 1
    for (Index m = 0; m < sample_count; ++m) {
        const Sample<sum>& k = samples[m];
        const float phase = two_pi * (k.kx * x + k.ky * y + k.kz * z);
        result += times_phase_factor(k.value, cosf(phase), sinf(phase));
    }
    voxels[n].result = result;
}

template <Sum sum>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    const DeviceBuffer<Sample<sum>> samples(gpu.queue, std::span<const Sample<sum>>(sample_structures<sum>(problem)));
    DeviceBuffer<Voxel> voxels(gpu.queue, std::span<const Voxel>(voxel_structures(problem)));
    StepRun result = gpu.measure(repeats, loop_work(problem, sum, counts, sizeof(Sample<sum>) / 32.0), [&] {
        regalloc_kernel<sum><<<blocks_of(voxels.size(), threads), threads, 0, gpu.queue.stream()>>>(
            samples.data(), samples.size(), voxels.data(), voxels.size());
        check_launch();
    });
    result.values = results_of(gpu.queue, voxels);
    return result;
}

}  // namespace

Step regalloc_step() {
    return {.id = "regalloc",
            .title = "RegAlloc: the voxel in registers",
            .change = "position and running sum of the voxel in registers",
            .bound = "software sine and cosine, loads of the samples",
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return sum == Sum::q ? run<Sum::q>(devices, problem, repeats)
                                     : run<Sum::fhd>(devices, problem, repeats);
            }};
}

}  // namespace recon::ladder
