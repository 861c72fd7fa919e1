// Shared, whole array: all samples of a launch in shared memory at once, 2048 of them in 32 KB (Q) or 40 KB (F^H d),
// instead of tiles of 256. One barrier a launch; a block holds so much memory that fewer fit a multiprocessor.
//
// `shared-race` is the same without the barrier, as it is found in student code: a thread copies its eight samples and
// goes on to read those of others, which may not be there yet. It often gives the right answer, while warps happen to
// run in step, and that is what makes it dangerous: compute-sanitizer --tool racecheck names it every time.
#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

constexpr int threads = 256;
constexpr int most_samples = 2048;  ///< of a launch
constexpr LoopCounts counts{{60, 2, 4.0 / threads}, {66, 2, 5.0 / threads}};

enum class Barrier { there, forgotten };

template <Sum sum, Barrier barrier>
__global__ void __launch_bounds__(threads)
    whole_array_kernel(const Sample<sum>* samples, int sample_count, VoxelArrays voxels, Index voxel_count,
                       Accumulate accumulate, ComplexPair* results) {
    __shared__ Sample<sum> shared[most_samples];
    for (int m = static_cast<int>(threadIdx.x); m < sample_count; m += threads) {
        shared[m] = samples[m];
    }
    if constexpr (barrier == Barrier::there) {
        __syncthreads();
    }
    const Index n = blockIdx.x * Index{threads} + threadIdx.x;
    if (n >= voxel_count) {
        return;
    }
    const float x = voxels.x[n], y = voxels.y[n], z = voxels.z[n];
    ComplexPair result = accumulate == Accumulate::yes ? results[n] : ComplexPair{0, 0};
#pragma unroll 1
    for (int m = 0; m < sample_count; ++m) {
        const float phase = two_pi * (shared[m].kx * x + shared[m].ky * y + shared[m].kz * z);
        result += times_phase_factor(shared[m].value, cosf(phase), sinf(phase));
    }
    results[n] = result;
}

template <Sum sum, Barrier barrier>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    const DeviceBuffer<Sample<sum>> samples(gpu.queue, std::span<const Sample<sum>>(sample_structures<sum>(problem)));
    const DeviceVoxels voxels(gpu.queue, problem);
    DeviceBuffer<ComplexPair> results(gpu.queue, problem.voxel_count());
    const Index launches = (samples.size() + most_samples - 1) / most_samples;
    const double requested = sizeof(Sample<sum>) / static_cast<double>(threads);
    StepRun result = gpu.measure(repeats, loop_work(problem, sum, counts, requested, launches), [&] {
        for (Index first = 0; first < samples.size(); first += most_samples) {
            const Index count = std::min(Index{most_samples}, samples.size() - first);
            whole_array_kernel<sum, barrier><<<blocks_of(results.size(), threads), threads, 0, gpu.queue.stream()>>>(
                samples.data() + first, static_cast<int>(count), voxels.arrays(), results.size(),
                first > 0 ? Accumulate::yes : Accumulate::no, results.data());
            check_launch();
        }
    });
    result.values = results_of(gpu.queue, results);
    return result;
}

template <Barrier barrier>
StepRun run_either(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    return sum == Sum::q ? run<Sum::q, barrier>(devices, problem, repeats)
                         : run<Sum::fhd, barrier>(devices, problem, repeats);
}

}  // namespace

Step shared_race_step() {
    return {.id = "shared-race",
            .title = "Shared, whole array, as students wrote it: a race",
            .change = "all samples of a launch in shared memory; the barrier after the copy is forgotten",
            .bound = "software sine and cosine",
            .wrong = "threads read samples that others may not have copied yet",
            .run = run_either<Barrier::forgotten>};
}

Step shared_whole_step() {
    return {.id = "shared-whole",
            .title = "Shared, whole array, mended",
            .change = "the barrier after the copy: one a launch, where tiles need two each",
            .bound = "software sine and cosine",
            .run = run_either<Barrier::there>};
}

}  // namespace recon::ladder
