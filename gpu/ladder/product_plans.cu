// Beyond, the product's own plans, called and not copied: what `recon` itself computes with.
//
//     position-sums      voxels anywhere, a sine and a cosine a pair (gpu/exact/cuda_position_sums.cu)
//     special-functions  a regular grid, a sine and a cosine a pair, phases in integer arithmetic
//     split-half         separable factors as pairs of fp16 numbers on tensor cores (docs/exact-sums-gpu.md)
//     double             separable factors on the fp64 units of the tensor cores
//     nufft              gridding: samples onto an oversampled grid, one FFT (docs/nufft.md)
//
// Lesson: with the algorithm changed, a pair costs 12 operations of a tensor core; with the NUFFT, voxels and samples
// are not paired at all, and "pairs a second" measures only how much work it avoids.
#include "core/operators/sampling/nufft.hpp"
#include "gpu/exact/exact_sums_method.hpp"
#include "gpu/ladder/gpu_steps.cuh"
#include "gpu/ladder/product_steps.hpp"

namespace recon::ladder {
namespace {

constexpr double nufft_tolerance = 1e-6;

using Sums = std::unique_ptr<FourierSums> (*)(Backend& gpu, const Trajectory& trajectory, const VoxelGrid& grid);

StepRun run_sums(const Devices& devices, const Problem& problem, Sum sum, int repeats, Precision precision,
                 const Work& work, Sums make) {
    GpuRun gpu(devices);
    Backend& backend = *devices.gpus.front();
    const auto sums = make(backend, trajectory_of(problem), *problem.grid);
    const Array samples = samples_on(backend, problem, sum, precision);
    Array image(backend, problem.grid->shape, precision);
    StepRun result = gpu.measure(repeats, work, [&] { sums->adjoint(samples, image); });
    result.values = download<float>(image);
    result.remark = sums->description();
    return result;
}

template <ExactSumsMethod method, Precision precision>
std::unique_ptr<FourierSums> exact_sums(Backend& gpu, const Trajectory& trajectory, const VoxelGrid& grid) {
    return make_cuda_exact_sums(gpu, trajectory, grid, precision, method);
}

std::unique_ptr<FourierSums> nufft(Backend& gpu, const Trajectory& trajectory, const VoxelGrid& grid) {
    return std::make_unique<Nufft>(gpu, trajectory, grid, nufft_tolerance, Precision::single);
}

StepRun run_position_sums(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    GpuRun gpu(devices);
    Backend& backend = *devices.gpus.front();
    const auto sums = backend.make_position_sums(trajectory_of(problem), positions_of(problem), Precision::single);
    const Array samples = samples_on(backend, problem, sum, Precision::single);
    Array result(backend, Shape{{"voxel", problem.voxel_count()}}, Precision::single);
    Work work;
    work.special_functions = 2 * problem.pair_count();
    StepRun run = gpu.measure(repeats, work, [&] { sums->adjoint(samples, result); });
    run.values = download<float>(result);
    return run;
}

}  // namespace

Step position_sums_step() {
    return {.id = "position-sums",
            .title = "Product: sums at positions anywhere",
            .change = "the product's own kernel for the same task",
            .bound = "special functions",
            .run = run_position_sums};
}

Step special_functions_step() {
    return {.id = "special-functions",
            .title = "Product: special functions on a grid",
            .change = "phases in exact integer arithmetic, four voxels a thread, sums in pieces",
            .bound = "special functions",
            .needs_grid = true,
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                Work work;
                work.special_functions = 2 * problem.pair_count();
                return run_sums(devices, problem, sum, repeats, Precision::single, work,
                                exact_sums<ExactSumsMethod::special_functions, Precision::single>);
            }};
}

Step split_half_step() {
    return {.id = "split-half",
            .title = "Beyond: separable factors, split half precision",
            .change = "every factor as two fp16 numbers, three products of four, parity along the axes",
            .bound = "tensor cores",
            .needs_grid = true,
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                Work work;
                work.tensor_operations = 12 * problem.pair_count();  // 2 real multiply-adds, 3 products each
                return run_sums(devices, problem, sum, repeats, Precision::single, work,
                                exact_sums<ExactSumsMethod::automatic, Precision::single>);
            }};
}

Step double_step() {
    return {.id = "double",
            .title = "Beyond: separable factors, double",
            .change = "the same product in fp64",
            .bound = "fp64 multiply-adds of the tensor cores",
            .needs_grid = true,
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return run_sums(devices, problem, sum, repeats, Precision::double_, Work{},
                                exact_sums<ExactSumsMethod::automatic, Precision::double_>);
            }};
}

Step nufft_step() {
    return {.id = "nufft",
            .title = "Beyond: NUFFT, tolerance 1e-6",
            .change = "samples spread onto an oversampled grid, one FFT: no pairs at all",
            .bound = "spreading in shared memory, device memory for the FFT",
            .needs_grid = true,
            .run = [](const Devices& devices, const Problem& problem, Sum sum, int repeats) {
                return run_sums(devices, problem, sum, repeats, Precision::single, Work{}, nufft);
            }};
}

}  // namespace recon::ladder
