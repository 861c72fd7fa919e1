// Base, the wrong way. The loop over samples is the outer one in the serial code, so one thread takes one sample and
// goes through all voxels. Then every thread adds to every voxel: the additions must be atomic, all threads stand in
// line for the same few addresses, and there are only as many threads as samples.
//
// Twice. `fused-atomic`: as the serial code has it, each thread first computes what its sample weighs, |phi|^2 or mu =
// conj(phi) d. That statement before the inner loop is what forbids to exchange the loops. `base-atomic`: loop fission,
// the statement becomes a kernel of its own (phiMag, cmpMu), a thread a sample; what remains is a nest of two loops
// that may be exchanged, which Base does. From Base on the weights are taken as given, as the originals time them.
#include <string>

#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

constexpr int threads = 256;
constexpr LoopCounts counts{{75, 2, 11}, {78, 2, 12}};

template <Sum sum>
__device__ Value<sum> weight_of(ComplexPair phi, ComplexPair d) {
    if constexpr (sum == Sum::q) {
        return phi.re * phi.re + phi.im * phi.im;
    } else {
        return {phi.re * d.re + phi.im * d.im, phi.re * d.im - phi.im * d.re};
    }
}

template <Sum sum>
__device__ void add_everywhere(const Sample<sum>& k, Voxel* voxels, Index voxel_count) {
#pragma unroll 1
    for (Index n = 0; n < voxel_count; ++n) {
        Voxel& r = voxels[n];
        const float phase = two_pi * (k.kx * r.x + k.ky * r.y + k.kz * r.z);
        const ComplexPair term = times_phase_factor(k.value, cosf(phase), sinf(phase));
        atomicAdd(&r.result.re, term.re);
        atomicAdd(&r.result.im, term.im);
    }
}

template <Sum sum>
__global__ void fused_kernel(Sample<sum>* samples, const ComplexPair* phi, const ComplexPair* data, Index sample_count,
                             Voxel* voxels, Index voxel_count) {
    const Index m = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (m < sample_count) {
        samples[m].value = weight_of<sum>(phi[m], data[m]);
        add_everywhere<sum>(samples[m], voxels, voxel_count);
    }
}

/// phiMag for Q, cmpMu for F^H d.
template <Sum sum>
__global__ void weight_kernel(Sample<sum>* samples, const ComplexPair* phi, const ComplexPair* data,
                              Index sample_count) {
    const Index m = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (m < sample_count) {
        samples[m].value = weight_of<sum>(phi[m], data[m]);
    }
}

template <Sum sum>
__global__ void base_atomic_kernel(const Sample<sum>* samples, Index sample_count, Voxel* voxels, Index voxel_count) {
    const Index m = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (m < sample_count) {
        add_everywhere<sum>(samples[m], voxels, voxel_count);
    }
}

__global__ void clear_kernel(Voxel* voxels, Index voxel_count) {
    for (Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x; n < voxel_count; n += Index{gridDim.x} * blockDim.x) {
        voxels[n].result = {0, 0};
    }
}

enum class Loops { fused, fissioned };

template <Sum sum, Loops loops>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    DeviceBuffer<Sample<sum>> samples(gpu.queue, std::span<const Sample<sum>>(sample_structures<sum>(problem)));
    const RawSamples raw = raw_samples(problem);
    const DeviceBuffer<ComplexPair> phi(gpu.queue, std::span<const ComplexPair>(raw.phi));
    const DeviceBuffer<ComplexPair> data(gpu.queue, std::span<const ComplexPair>(raw.data));
    DeviceBuffer<Voxel> voxels(gpu.queue, std::span<const Voxel>(voxel_structures(problem)));
    // A warp asks for its samples and one voxel, and adds to one.
    Work work = loop_work(problem, sum, counts, sizeof(Sample<sum>) + sizeof(Voxel) / 32.0);
    work.atomics = 2 * problem.pair_count();
    const unsigned blocks = blocks_of(samples.size(), threads);
    const auto weights = [&] {
        weight_kernel<sum>
            <<<blocks, threads, 0, gpu.queue.stream()>>>(samples.data(), phi.data(), data.data(), samples.size());
        check_launch();
    };
    StepRun result = gpu.measure(repeats, work, [&] {
        clear_kernel<<<blocks_for(voxels.size(), threads), threads, 0, gpu.queue.stream()>>>(voxels.data(),
                                                                                             voxels.size());
        check_launch();
        if constexpr (loops == Loops::fused) {
            fused_kernel<sum><<<blocks, threads, 0, gpu.queue.stream()>>>(samples.data(), phi.data(), data.data(),
                                                                          samples.size(), voxels.data(), voxels.size());
        } else {
            weights();
            base_atomic_kernel<sum><<<blocks, threads, 0, gpu.queue.stream()>>>(samples.data(), samples.size(),
                                                                                voxels.data(), voxels.size());
        }
        check_launch();
    });
    result.values = results_of(gpu.queue, voxels);
    if constexpr (loops == Loops::fissioned) {
        const double microseconds = 1e6 * gpu.measure(2, {}, weights).seconds.back();
        result.remark = std::string(sum == Sum::q ? "phiMag" : "cmpMu") +
                        " alone: " + std::to_string(microseconds).substr(0, 4) + " microseconds";
    }
    return result;
}

template <Loops loops>
StepRun run_either(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    return sum == Sum::q ? run<Sum::q, loops>(devices, problem, repeats)
                         : run<Sum::fhd, loops>(devices, problem, repeats);
}

}  // namespace

Step fused_atomic_step() {
    return {.id = "fused-atomic",
            .title = "Fused: the serial code's outer loop as threads",
            .change = "GPU; a thread a sample computes its weight, then goes through all voxels",
            .bound = "atomic additions to the same voxel, and too few threads",
            .run = run_either<Loops::fused>};
}

Step base_atomic_step() {
    return {.id = "base-atomic",
            .title = "Fission: phiMag and cmpMu by kernels of their own",
            .change = "the weights of the samples first, so that the two loops that remain may be exchanged",
            .bound = "atomic additions to the same voxel, and too few threads",
            .run = run_either<Loops::fissioned>};
}

}  // namespace recon::ladder
