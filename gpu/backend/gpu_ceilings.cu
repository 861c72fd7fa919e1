#include "gpu/backend/gpu_ceilings.hpp"

#include <cuda_fp16.h>

#include <algorithm>
#include <functional>
#include <vector>

#include "core/base/error.hpp"
#include "gpu/backend/cuda_backend.cuh"

namespace recon {
namespace {

constexpr int threads = 256;
constexpr int rounds = 4096;
constexpr int chains = 8;  ///< independent operations a thread has under way

template <class T>
__global__ void multiply_add_kernel(T a, T b, float* result) {
    T value[chains];
    for (int i = 0; i < chains; ++i) {
        value[i] = static_cast<T>(threadIdx.x + i);
    }
    for (int round = 0; round < rounds; ++round) {
#pragma unroll
        for (int i = 0; i < chains; ++i) {
            value[i] = fma(value[i], a, b);
        }
    }
    T sum = 0;
    for (int i = 0; i < chains; ++i) {
        sum += value[i];
    }
    result[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<float>(sum);
}

__global__ void sine_kernel(float start, float* result) {
    float value[chains];
    for (int i = 0; i < chains; ++i) {
        value[i] = start + static_cast<float>(threadIdx.x + i);
    }
    for (int round = 0; round < rounds / 4; ++round) {
#pragma unroll
        for (int i = 0; i < chains; ++i) {
            asm volatile("sin.approx.ftz.f32 %0, %0;" : "+f"(value[i]));
        }
    }
    float sum = 0;
    for (int i = 0; i < chains; ++i) {
        sum += value[i];
    }
    result[blockIdx.x * blockDim.x + threadIdx.x] = sum;
}

/// Every thread reads 16 bytes and writes 16 bytes a round.
__global__ void shared_memory_kernel(float* result) {
    __shared__ float4 memory[threads * chains];
    for (int i = 0; i < chains; ++i) {
        memory[i * threads + threadIdx.x] = {1, 2, 3, 4};
    }
    volatile float* words = reinterpret_cast<volatile float*>(memory);
    for (int round = 0; round < rounds / chains / 4; ++round) {
#pragma unroll
        for (int i = 0; i < chains; ++i) {
            const unsigned address =
                static_cast<unsigned>(__cvta_generic_to_shared(&memory[i * threads + threadIdx.x]));
            float x, y, z, w;
            asm volatile("ld.shared.v4.f32 {%0, %1, %2, %3}, [%4];"
                         : "=f"(x), "=f"(y), "=f"(z), "=f"(w)
                         : "r"(address));
            asm volatile("st.shared.v4.f32 [%0], {%1, %2, %3, %4};" ::"r"(address), "f"(y), "f"(z), "f"(w), "f"(x)
                         : "memory");
        }
    }
    result[blockIdx.x * blockDim.x + threadIdx.x] = words[threadIdx.x];
}

class Stopwatch {
public:
    explicit Stopwatch(CudaQueue& queue) : queue_(queue), begin_(make_event(queue)), end_(make_event(queue)) {}

    /// Shortest of several runs: a ceiling is what is reached when nothing disturbs.
    double seconds(const std::function<void()>& work) {
        constexpr int runs = 5;
        work();
        float shortest = 1e30F;
        for (int run = 0; run < runs; ++run) {
            check(cudaEventRecord(begin_.get(), queue_.stream()));
            work();
            check(cudaEventRecord(end_.get(), queue_.stream()));
            check(cudaEventSynchronize(end_.get()));
            float milliseconds = 0;
            check(cudaEventElapsedTime(&milliseconds, begin_.get(), end_.get()));
            shortest = std::min(shortest, milliseconds);
        }
        return 1e-3 * shortest;
    }

private:
    static EventHandle make_event(const CudaQueue& queue) {
        queue.stream();  // an event belongs to the device that is current when it is made
        cudaEvent_t event = nullptr;
        check(cudaEventCreate(&event));
        return EventHandle(event);
    }

    CudaQueue& queue_;
    EventHandle begin_;
    EventHandle end_;
};

double copy_bytes_per_s(CudaQueue& queue, Stopwatch& watch) {
    constexpr std::size_t bytes = std::size_t{1} << 30;
    DeviceBuffer<std::byte> from(queue, bytes);
    DeviceBuffer<std::byte> to(queue, bytes);
    check(cudaMemsetAsync(from.data(), 0, bytes, queue.stream()));
    const double seconds = watch.seconds(
        [&] { check(cudaMemcpyAsync(to.data(), from.data(), bytes, cudaMemcpyDeviceToDevice, queue.stream())); });
    return 2.0 * bytes / seconds;
}

double tensor_flops(CudaQueue& queue, Stopwatch& watch) {
    constexpr int n = 8192;
    std::vector<__half> values(std::size_t{n} * n);
    unsigned state = 1;
    for (__half& value : values) {  // zeros would cost less power, and run faster than any real work
        state = state * 1664525U + 1013904223U;
        value = __float2half(static_cast<float>(state >> 8) * 0x1p-24F - 0.5F);
    }
    const DeviceBuffer<__half> a(queue, std::span<const __half>(values));
    DeviceBuffer<float> c(queue, Index{n} * n);
    const float one = 1;
    const float zero = 0;
    const double seconds = watch.seconds([&] {
        check(cublasGemmEx(queue.blas(), CUBLAS_OP_N, CUBLAS_OP_T, n, n, n, &one, a.data(), CUDA_R_16F, n, a.data(),
                           CUDA_R_16F, n, &zero, c.data(), CUDA_R_32F, n, CUBLAS_COMPUTE_32F, CUBLAS_GEMM_DEFAULT));
    });
    return 2.0 * n * n * n / seconds;
}

}  // namespace

DeviceCeilings measure_gpu_ceilings(Backend& cuda) {
    auto* backend = dynamic_cast<CudaBackend*>(&cuda);
    if (!backend) {
        throw UsageError("the ceilings of a GPU were asked of " + cuda.name());
    }
    CudaQueue& queue = backend->queue();
    Stopwatch watch(queue);
    const unsigned blocks = 32 * static_cast<unsigned>(queue.multiprocessor_count());
    DeviceBuffer<float> result(queue, Index{blocks} * threads);
    const double operations = static_cast<double>(blocks) * threads * rounds;
    DeviceCeilings ceilings;
    ceilings.copy_bytes_per_s = copy_bytes_per_s(queue, watch);
    ceilings.tensor_flops = tensor_flops(queue, watch);
    ceilings.fp32_flops = 2 * chains * operations / watch.seconds([&] {
        multiply_add_kernel<<<blocks, threads, 0, queue.stream()>>>(0.5F, 0.25F, result.data());
        check_launch();
    });
    ceilings.fp64_flops = 2 * chains * operations / watch.seconds([&] {
        multiply_add_kernel<<<blocks, threads, 0, queue.stream()>>>(0.5, 0.25, result.data());
        check_launch();
    });
    ceilings.special_functions_per_s = chains / 4.0 * operations / watch.seconds([&] {
        sine_kernel<<<blocks, threads, 0, queue.stream()>>>(0.5F, result.data());
        check_launch();
    });
    ceilings.shared_bytes_per_s = 32 / 4.0 * operations / watch.seconds([&] {
        shared_memory_kernel<<<blocks, threads, 0, queue.stream()>>>(result.data());
        check_launch();
    });
    return ceilings;
}

}  // namespace recon
