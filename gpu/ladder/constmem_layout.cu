// ConstMem, arrays: constant memory again, with an array for each component instead of an array of structures. For
// voxels in global memory that layout was the better one, because 32 threads read 32 neighbours. Constant memory is
// read by one address for all of them, and one structure lies in one or two lines of its cache, five arrays in five.
//
// The sweep beside it asks the old question of the courses, which place for the samples is the fastest and for how many
// of them: structures and arrays in constant memory, structures in global memory; 32 to 2048 samples a launch; blocks
// of 256 threads, where each block of a multiprocessor stands at a sample of its own, and of 1024, where they walk
// together.
#include <algorithm>

#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

enum class SamplesIn { structures, arrays, global };
constexpr const char* names[] = {"structures", "arrays", "global"};

// A trial fills the device and takes a millisecond or so.
constexpr Index samples_of_a_trial = 2048;
constexpr Index voxels_of_a_trial = 262144;
constexpr int repeats_of_a_trial = 3;

constexpr LoopCounts counts{{61, 2}, {67, 2}};

__constant__ float constant_memory[most_constant_samples * sizeof(Sample<Sum::fhd>) / sizeof(float)];

/// Sample m from where it is; `global` has the first of this launch.
template <Sum sum, SamplesIn place>
__device__ Sample<sum> sample_at(int m, const Sample<sum>* global) {
    if constexpr (place == SamplesIn::structures) {
        return reinterpret_cast<const Sample<sum>*>(constant_memory)[m];
    } else if constexpr (place == SamplesIn::global) {
        return global[m];
    } else {
        constexpr Index n = most_constant_samples;
        Sample<sum> sample{constant_memory[m], constant_memory[n + m], constant_memory[2 * n + m], {}};
        if constexpr (sum == Sum::q) {
            sample.value = constant_memory[3 * n + m];
        } else {
            sample.value = {constant_memory[3 * n + m], constant_memory[4 * n + m]};
        }
        return sample;
    }
}

template <Sum sum, SamplesIn place>
__global__ void placed_kernel(int sample_count, const Sample<sum>* global, VoxelArrays voxels, Index voxel_count,
                              Accumulate accumulate, ComplexPair* results) {
    const Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x;
    if (n >= voxel_count) {
        return;
    }
    const float x = voxels.x[n], y = voxels.y[n], z = voxels.z[n];
    ComplexPair result = accumulate == Accumulate::yes ? results[n] : ComplexPair{0, 0};
#pragma unroll 1
    for (int m = 0; m < sample_count; ++m) {
        const Sample<sum> k = sample_at<sum, place>(m, global);
        const float phase = two_pi * (k.kx * x + k.ky * y + k.kz * z);
        result += times_phase_factor(k.value, cosf(phase), sinf(phase));
    }
    results[n] = result;
}

/// Puts a launch's samples where its kernel reads them.
template <Sum sum, SamplesIn place>
void fill_constants(CudaQueue& queue, const Sample<sum>* samples, SampleArrays arrays, Index first, Index count) {
    const auto copy = [&](const void* from, Index floats, Index to) {
        check(cudaMemcpyToSymbolAsync(constant_memory, from, floats * sizeof(float), to * sizeof(float),
                                      cudaMemcpyDeviceToDevice, queue.stream()));
    };
    if constexpr (place == SamplesIn::structures) {
        copy(samples + first, count * static_cast<Index>(sizeof(Sample<sum>) / sizeof(float)), 0);
    } else if constexpr (place == SamplesIn::arrays) {
        const float* components[] = {arrays.kx, arrays.ky, arrays.kz, arrays.re, arrays.im};
        for (int i = 0; i < (sum == Sum::q ? 4 : 5); ++i) {
            copy(components[i] + first, count, i * most_constant_samples);
        }
    }
}

template <Sum sum, SamplesIn place>
StepRun run(const Devices& devices, const Problem& problem, int repeats, const Tuning& launch) {
    GpuRun gpu(devices);
    const DeviceBuffer<Sample<sum>> samples(gpu.queue, std::span<const Sample<sum>>(sample_structures<sum>(problem)));
    const DeviceSamples arrays(gpu.queue, problem, sum);
    const DeviceVoxels voxels(gpu.queue, problem);
    DeviceBuffer<ComplexPair> results(gpu.queue, problem.voxel_count());
    const Index launches = (samples.size() + launch.samples_per_launch - 1) / launch.samples_per_launch;
    StepRun result = gpu.measure(repeats, loop_work(problem, sum, counts, 0, launches), [&] {
        for (Index first = 0; first < samples.size(); first += launch.samples_per_launch) {
            const Index count = std::min(launch.samples_per_launch, samples.size() - first);
            fill_constants<sum, place>(gpu.queue, samples.data(), arrays.arrays(), first, count);
            placed_kernel<sum, place>
                <<<blocks_of(results.size(), launch.threads), launch.threads, 0, gpu.queue.stream()>>>(
                    static_cast<int>(count), samples.data() + first, voxels.arrays(), results.size(),
                    first > 0 ? Accumulate::yes : Accumulate::no, results.data());
            check_launch();
        }
    });
    result.values = results_of(gpu.queue, results);
    return result;
}

template <Sum sum>
StepRun run_at(SamplesIn place, const Devices& devices, const Problem& problem, int repeats, const Tuning& launch) {
    switch (place) {
        case SamplesIn::structures: return run<sum, SamplesIn::structures>(devices, problem, repeats, launch);
        case SamplesIn::arrays: return run<sum, SamplesIn::arrays>(devices, problem, repeats, launch);
        default: return run<sum, SamplesIn::global>(devices, problem, repeats, launch);
    }
}

template <Sum sum>
StepRun run_and_sweep(const Devices& devices, const Problem& problem, int repeats) {
    StepRun result = run<sum, SamplesIn::arrays>(devices, problem, repeats, Tuning{});
    if (repeats < 2) {
        return result;  // a try, or an image: the sweep is of the measurement
    }
    const Problem trial = problem.first_samples(std::min(problem.sample_count(), samples_of_a_trial))
                              .first_voxels(std::min(problem.voxel_count(), voxels_of_a_trial));
    for (const SamplesIn place : {SamplesIn::structures, SamplesIn::arrays, SamplesIn::global}) {
        for (const int threads : {256, 1024}) {
            for (Index samples = 32; samples <= most_constant_samples; samples *= 2) {
                const Tuning launch{threads, samples, 1};
                const std::vector<double> seconds =
                    run_at<sum>(place, devices, trial, repeats_of_a_trial, launch).seconds;
                result.trials.push_back(
                    {launch, *std::min_element(seconds.begin(), seconds.end()), names[static_cast<int>(place)]});
            }
        }
    }
    return result;
}

}  // namespace

Step constmem_arrays_step() {
    return {.id = "constmem-arrays",
            .title = "ConstMem, arrays: structures, arrays, global memory",
            .change = "ConstMem with an array for each component; a sweep over places and samples a launch",
            .bound = "software sine and cosine",
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return sum == Sum::q ? run_and_sweep<Sum::q>(devices, problem, repeats)
                                     : run_and_sweep<Sum::fhd>(devices, problem, repeats);
            }};
}

}  // namespace recon::ladder
