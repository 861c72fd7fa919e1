// Base, the wrong way. The loop over samples is the outer one in the serial code, so one thread takes one sample and
// goes through all voxels. Then every thread adds to every voxel: the additions must be atomic, all threads stand in
// line for the same few addresses, and there are only as many threads as samples.
#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

constexpr int threads = 256;
constexpr LoopCounts counts{{78, 2}, {82, 2}};

template <Sum sum>
__global__ void base_atomic_kernel(const Sample<sum>* samples, Index sample_count, Voxel* voxels, Index voxel_count) {
    const Index m = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (m >= sample_count) {
        return;
    }
#pragma unroll 1
    for (Index n = 0; n < voxel_count; ++n) {
        const Sample<sum>& k = samples[m];
        Voxel& r = voxels[n];
        const float phase = two_pi * (k.kx * r.x + k.ky * r.y + k.kz * r.z);
        const ComplexPair term = times_phase_factor(k.value, cosf(phase), sinf(phase));
        atomicAdd(&r.result.re, term.re);
        atomicAdd(&r.result.im, term.im);
    }
}

__global__ void clear_kernel(Voxel* voxels, Index voxel_count) {
    for (Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x; n < voxel_count; n += Index{gridDim.x} * blockDim.x) {
        voxels[n].result = {0, 0};
    }
}

template <Sum sum>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    const DeviceBuffer<Sample<sum>> samples(gpu.queue, std::span<const Sample<sum>>(sample_structures<sum>(problem)));
    DeviceBuffer<Voxel> voxels(gpu.queue, std::span<const Voxel>(voxel_structures(problem)));
    // A warp asks for its samples and one voxel, and adds to one.
    Work work = loop_work(problem, sum, counts, sizeof(Sample<sum>) + sizeof(Voxel) / 32.0);
    work.atomics = 2 * problem.pair_count();
    StepRun result = gpu.measure(repeats, work, [&] {
        clear_kernel<<<blocks_for(voxels.size(), threads), threads, 0, gpu.queue.stream()>>>(voxels.data(),
                                                                                             voxels.size());
        check_launch();
        base_atomic_kernel<sum><<<blocks_of(samples.size(), threads), threads, 0, gpu.queue.stream()>>>(
            samples.data(), samples.size(), voxels.data(), voxels.size());
        check_launch();
    });
    result.values = results_of(gpu.queue, voxels);
    return result;
}

}  // namespace

Step base_atomic_step() {
    return {.id = "base-atomic",
            .title = "Base, wrong way: one thread a sample",
            .change = "GPU; the outer loop of the serial code becomes the threads",
            .bound = "atomic additions to the same voxel, and too few threads",
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return sum == Sum::q ? run<Sum::q>(devices, problem, repeats)
                                     : run<Sum::fhd>(devices, problem, repeats);
            }};
}

}  // namespace recon::ladder
