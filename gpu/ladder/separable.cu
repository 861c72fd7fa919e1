// Beyond, by a library: on a regular grid exp(i 2 pi k.r) is a product of factors along the axes, and the sum a product
// of complex matrices,
//
//     image[(x y), z] = sum_m A[(x y), m] B[z, m],    A = value ex ey,  B = ez,
//
// 8 operations a pair and no sine inside. cuBLAS computes it in single precision, or in TF32 on the tensor cores, which
// keep 10 bits of every factor: ten times the speed of the tuned kernel for a thousand times the error.
#include <cublas_v2.h>

#include <algorithm>

#include "gpu/ladder/gpu_steps.cuh"

namespace recon::ladder {
namespace {

constexpr int threads = 256;
constexpr Index factor_bytes = Index{256} << 20;  ///< of A at a time

struct AxisOfGrid {
    Index extent;
    Index origin;
    float spacing;
};
struct GridAxes {
    AxisOfGrid axis[3];
};

/// exp(i 2 pi k r); the product is reduced before it is rounded.
__device__ ComplexPair factor(float k, const AxisOfGrid& axis, Index i) {
    const float r = static_cast<float>(i - axis.origin) * axis.spacing;
    const float turns = fmaf(k, r, -rintf(k * r));
    ComplexPair e;
    sincospif(2 * turns, &e.im, &e.re);
    return e;
}
__device__ ComplexPair operator*(ComplexPair a, ComplexPair b) {
    return {a.re * b.re - a.im * b.im, a.re * b.im + a.im * b.re};
}
__device__ ComplexPair operator*(ComplexPair a, float b) { return {a.re * b, a.im * b}; }

template <Sum sum>
__global__ void row_factors_kernel(SampleArrays samples, Index first, Index count, GridAxes grid, ComplexPair* a) {
    const Index nx = grid.axis[0].extent, rows = nx * grid.axis[1].extent;
    for (Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x; i < rows * count; i += Index{gridDim.x} * blockDim.x) {
        const Index m = first + i / rows;
        const Index xy = i % rows;
        a[i] = factor(samples.kx[m], grid.axis[0], xy % nx) * factor(samples.ky[m], grid.axis[1], xy / nx) *
               value_of<sum>(samples, m);
    }
}

__global__ void column_factors_kernel(SampleArrays samples, Index first, Index count, GridAxes grid, ComplexPair* b) {
    const Index nz = grid.axis[2].extent;
    for (Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x; i < nz * count; i += Index{gridDim.x} * blockDim.x) {
        b[i] = factor(samples.kz[first + i / nz], grid.axis[2], i % nz);
    }
}

template <Sum sum, cublasComputeType_t arithmetic>
StepRun run(const Devices& devices, const Problem& problem, int repeats) {
    GpuRun gpu(devices);
    const DeviceSamples samples(gpu.queue, problem, sum);
    GridAxes grid{};
    for (int axis = 0; axis < 3; ++axis) {
        grid.axis[axis] = {problem.grid->shape.extent(axis), problem.grid->origin[axis],
                           static_cast<float>(problem.grid->spacing[axis])};
    }
    const Index rows = grid.axis[0].extent * grid.axis[1].extent, columns = grid.axis[2].extent;
    const Index chunk =
        std::clamp<Index>(factor_bytes / (rows * Index{sizeof(ComplexPair)}), 1, problem.sample_count());
    DeviceBuffer<ComplexPair> a(gpu.queue, rows * chunk), b(gpu.queue, columns * chunk),
        image(gpu.queue, rows * columns);
    const cublasHandle_t blas = gpu.queue.blas();

    Work work;
    const double operations = 8 * problem.pair_count();
    (arithmetic == CUBLAS_COMPUTE_32F ? work.fp32_operations : work.tensor_operations) =
        arithmetic == CUBLAS_COMPUTE_32F ? operations : 2 * operations;
    // A is written and read once, the image read and written once a chunk.
    const auto chunks = static_cast<double>((problem.sample_count() + chunk - 1) / chunk);
    work.device_bytes = 8.0 * (2.0 * static_cast<double>(rows + columns) * static_cast<double>(problem.sample_count()) +
                               static_cast<double>(rows * columns) * (2 * chunks - 1));
    work.requested_bytes = work.device_bytes;
    StepRun result = gpu.measure(repeats, work, [&] {
        const cudaStream_t stream = gpu.queue.stream();
        for (Index first = 0; first < problem.sample_count(); first += chunk) {
            const Index count = std::min(chunk, problem.sample_count() - first);
            row_factors_kernel<sum><<<blocks_for(rows * count, threads), threads, 0, stream>>>(samples.arrays(), first,
                                                                                               count, grid, a.data());
            check_launch();
            column_factors_kernel<<<blocks_for(columns * count, threads), threads, 0, stream>>>(samples.arrays(), first,
                                                                                                count, grid, b.data());
            check_launch();
            const ComplexPair one{1, 0}, add_to{first > 0 ? 1.0F : 0.0F, 0};
            check(cublasGemmEx(blas, CUBLAS_OP_N, CUBLAS_OP_T, static_cast<int>(rows), static_cast<int>(columns),
                               static_cast<int>(count), &one, a.data(), CUDA_C_32F, static_cast<int>(rows), b.data(),
                               CUDA_C_32F, static_cast<int>(columns), &add_to, image.data(), CUDA_C_32F,
                               static_cast<int>(rows), arithmetic, CUBLAS_GEMM_DEFAULT));
        }
    });
    result.values = results_of(gpu.queue, image);
    return result;
}

template <cublasComputeType_t arithmetic>
StepRun run_either(const Devices& devices, const Problem& problem, Sum sum, int repeats) {
    return sum == Sum::q ? run<Sum::q, arithmetic>(devices, problem, repeats)
                         : run<Sum::fhd, arithmetic>(devices, problem, repeats);
}

}  // namespace

Step separable_step() {
    return {.id = "separable",
            .title = "Beyond: separable factors, single precision",
            .change = "a matrix product of factors along the axes instead of a sine and a cosine a pair, by cuBLAS",
            .bound = "multiply-adds of the matrix product, and making its factors",
            .needs_grid = true,
            .run = run_either<CUBLAS_COMPUTE_32F>};
}

Step separable_tf32_step() {
    return {.id = "separable-tf32",
            .title = "Beyond: separable factors, TF32",
            .change = "the same on tensor cores, factors rounded to 10 bits",
            .bound = "making the factors, and device memory to hold them",
            .needs_grid = true,
            .run = run_either<CUBLAS_COMPUTE_32F_FAST_TF32>};
}

}  // namespace recon::ladder
