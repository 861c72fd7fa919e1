// Layout: an array for each component instead of an array of structures, so that the 32 threads of a warp read 128
// consecutive bytes: 4 sectors of memory instead of 20. Twice: with everything in global memory, where that happens for
// every pair (`layout-global`, beside Base), and with the voxel in registers, where each voxel is read once (`layout`,
// beside RegAlloc): now the layout of the voxels cannot matter any more, and that of the samples, which a whole warp
// reads at once, was better before, when one address served for all components.
#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

constexpr int threads = 256;
constexpr LoopCounts global_counts{{92, 2, 11}, {103, 2, 12}};
constexpr LoopCounts register_counts{{85, 2, 4}, {95, 2, 5}};

template <Sum sum>
__global__ void layout_global_kernel(SampleArrays samples, Index sample_count, VoxelArrays voxels, Index voxel_count,
                                     float* re, float* im) {
    const Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (n >= voxel_count) {
        return;
    }
    re[n] = 0;
    im[n] = 0;
#pragma unroll 1
    for (Index m = 0; m < sample_count; ++m) {
        nothing_stays_in_registers();
        const float phase =
            two_pi * (samples.kx[m] * voxels.x[n] + samples.ky[m] * voxels.y[n] + samples.kz[m] * voxels.z[n]);
        const ComplexPair term = times_phase_factor(value_of<sum>(samples, m), cosf(phase), sinf(phase));
        re[n] += term.re;
        im[n] += term.im;
    }
}

template <Sum sum>
__global__ void layout_kernel(SampleArrays samples, Index sample_count, VoxelArrays voxels, Index voxel_count,
                              float* re, float* im) {
    const Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (n >= voxel_count) {
        return;
    }
    const float x = voxels.x[n], y = voxels.y[n], z = voxels.z[n];
    ComplexPair result{0, 0};
#pragma unroll 1
    for (Index m = 0; m < sample_count; ++m) {
        const float phase = two_pi * (samples.kx[m] * x + samples.ky[m] * y + samples.kz[m] * z);
        result += times_phase_factor(value_of<sum>(samples, m), cosf(phase), sinf(phase));
    }
    re[n] = result.re;
    im[n] = result.im;
}

template <Sum sum, bool in_registers>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    const DeviceSamples samples(gpu.queue, problem, sum);
    const DeviceVoxels voxels(gpu.queue, problem);
    DeviceBuffer<float> re(gpu.queue, problem.voxel_count()), im(gpu.queue, problem.voxel_count());
    const double of_samples = sizeof(Sample<sum>) / 32.0;
    const Work work = in_registers ? loop_work(problem, sum, register_counts, of_samples)
                                   : loop_work(problem, sum, global_counts, of_samples + 28);
    const auto kernel = in_registers ? layout_kernel<sum> : layout_global_kernel<sum>;
    StepRun result = gpu.measure(repeats, work, [&] {
        kernel<<<blocks_of(re.size(), threads), threads, 0, gpu.queue.stream()>>>(
            samples.arrays(), problem.sample_count(), voxels.arrays(), re.size(), re.data(), im.data());
        check_launch();
    });
    std::vector<float> host_re(re.size()), host_im(im.size());
    gpu.queue.download_bytes(re.data(), host_re.data(), host_re.size() * sizeof(float));
    gpu.queue.download_bytes(im.data(), host_im.data(), host_im.size() * sizeof(float));
    for (std::size_t n = 0; n < host_re.size(); ++n) {
        result.values.emplace_back(host_re[n], host_im[n]);
    }
    return result;
}

template <bool in_registers>
StepRun run_either(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    return sum == Sum::q ? run<Sum::q, in_registers>(devices, problem, repeats)
                         : run<Sum::fhd, in_registers>(devices, problem, repeats);
}

}  // namespace

Step layout_global_step() {
    return {.id = "layout-global",
            .title = "Layout alone: separate arrays, all in global memory",
            .change = "Base with an array for each component: accesses of a warp coalesce",
            .bound = "loads and stores of global memory (the caches), software sine and cosine",
            .run = run_either<false>};
}

Step layout_step() {
    return {.id = "layout",
            .title = "Layout: separate arrays, the voxel in registers",
            .change = "RegAlloc with an array for each component",
            .bound = "software sine and cosine, loads of the samples",
            .run = run_either<true>};
}

}  // namespace recon::ladder
