// Exact sums by the special-function units: a sine and a cosine for every pair. Any shape, no factors, no tiles to
// fill.
#include "gpu/cuda_check.cuh"
#include "gpu/cuda_exact_sums_kernels.cuh"

namespace recon::exact_sums {
namespace {

constexpr int threads = 128;
constexpr int targets_per_thread = 4;
constexpr int source_tile = 128;

/// A position as a linear function of three integers modulo 2^32, of which 2^32 is one turn: phase of a pair is then
/// exact integer arithmetic, whatever the size of k r.
struct Code {
    std::uint32_t at[3];
};

__device__ Code voxel_code(const SpecialSums& work, Index n) {
    Code code{};
    for (int axis = 0; axis < 3; ++axis) {
        const int i = static_cast<int>(n % work.extent[axis]);
        n /= work.extent[axis];
        code.at[axis] = static_cast<std::uint32_t>(i - work.origin[axis]);
    }
    return code;
}

__device__ Code sample_code(const SpecialSums& work, Index m) {
    Code code{};
    for (int axis = 0; axis < 3; ++axis) {
        const double turns = work.positions.k[axis][m] * work.spacing[axis];
        code.at[axis] = static_cast<std::uint32_t>(__double2ll_rn((turns - rint(turns)) * 4294967296.0));
    }
    return code;
}

/// exp(i 2 pi phase / 2^32), absolute error below 5e-7.
///
/// The hardware's sine and cosine are used within a quarter of a turn of zero and negated beyond: their mean error over
/// all phases, which would grow with the number of samples, cancels.
__device__ Complex phase_factor(std::uint32_t phase) {
    constexpr float radians = 7.31459039633578e-10F;  // pi / 2^32
    const std::uint32_t doubled = phase << 1;         // modulo half a turn, which is where the two highest bits differ
    const std::uint32_t sign = (phase ^ doubled) & 0x80000000U;
    const float angle = static_cast<float>(static_cast<std::int32_t>(doubled)) * radians;
    return {__uint_as_float(__float_as_uint(__cosf(angle)) ^ sign),
            __uint_as_float(__float_as_uint(__sinf(angle)) ^ sign)};
}

/// result[slice][b][target] = sum over the slice's sources of value[b][source] exp(sign i 2 pi k r)
template <int batch, bool adjoint>
__global__ void __launch_bounds__(threads)
    special_sums_kernel(SpecialSums work, const Complex* values, Index value_stride, Complex* results,
                        Index result_stride, Index source_count, Index target_count, Index slice_stride) {
    __shared__ Code codes[source_tile];
    __shared__ Complex sources[batch][source_tile];
    const Index base = Index{blockIdx.x} * threads * targets_per_thread + threadIdx.x;
    const Index steps = (source_count + source_tile - 1) / source_tile;
    const Index first_step = steps * blockIdx.y / gridDim.y;
    const Index last_step = steps * (blockIdx.y + 1) / gridDim.y;
    Code target[targets_per_thread];
    Complex totals[targets_per_thread][batch] = {};
    for (int t = 0; t < targets_per_thread; ++t) {
        const Index n = min(base + t * threads, target_count - 1);
        target[t] = adjoint ? voxel_code(work, n) : sample_code(work, n);
    }
    for (Index step = first_step; step < last_step; ++step) {
        const Index source = step * source_tile + threadIdx.x;
        __syncthreads();
        if (source < source_count) {
            codes[threadIdx.x] = adjoint ? sample_code(work, source) : voxel_code(work, source);
        }
        for (int b = 0; b < batch; ++b) {
            sources[b][threadIdx.x] = source < source_count ? values[b * value_stride + source] : Complex{0, 0};
        }
        __syncthreads();
        Complex sums[targets_per_thread][batch] = {};
#pragma unroll 4
        for (int s = 0; s < source_tile; ++s) {
            const Code code = codes[s];
#pragma unroll
            for (int t = 0; t < targets_per_thread; ++t) {
                const std::uint32_t phase =
                    code.at[0] * target[t].at[0] + code.at[1] * target[t].at[1] + code.at[2] * target[t].at[2];
                const Complex e = adjoint ? phase_factor(phase) : conj(phase_factor(phase));
#pragma unroll
                for (int b = 0; b < batch; ++b) {
                    sums[t][b] = multiply_add(sources[b][s], e, sums[t][b]);
                }
            }
        }
#pragma unroll
        for (int t = 0; t < targets_per_thread; ++t) {
#pragma unroll
            for (int b = 0; b < batch; ++b) {
                totals[t][b] = totals[t][b] + sums[t][b];
            }
        }
    }
    for (int t = 0; t < targets_per_thread; ++t) {
        const Index n = base + t * threads;
        if (n < target_count) {
            for (int b = 0; b < batch; ++b) {
                results[blockIdx.y * slice_stride + b * result_stride + n] = totals[t][b];
            }
        }
    }
}

/// results = sum over slices of partial, in order
__global__ void add_slices_kernel(const Complex* partial, Index count, int slices, Complex* results) {
    for (Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x; n < count; n += Index{gridDim.x} * blockDim.x) {
        Complex sum = partial[n];
        for (int slice = 1; slice < slices; ++slice) {
            sum = sum + partial[slice * count + n];
        }
        results[n] = sum;
    }
}

template <int batch, bool adjoint>
void launch(const SpecialSums& work, const Complex* values, Complex* results, int slices, Index slice_stride,
            cudaStream_t stream) {
    const Index samples = work.positions.count;
    const Index sources = adjoint ? samples : work.voxel_count();
    const Index targets = adjoint ? work.voxel_count() : samples;
    const dim3 grid(static_cast<unsigned>(special_blocks(targets)), static_cast<unsigned>(slices));
    special_sums_kernel<batch, adjoint>
        <<<grid, threads, 0, stream>>>(work, values, sources, results, targets, sources, targets, slice_stride);
    check_launch();
}

template <bool adjoint>
void special_sums(const SpecialSums& work, const Complex* values, int batch, Complex* results, int slices,
                  Complex* partial, cudaStream_t stream) {
    const Index samples = work.positions.count;
    const Index sources = adjoint ? samples : work.voxel_count();
    const Index targets = adjoint ? work.voxel_count() : samples;
    Complex* out = slices > 1 ? partial : results;
    for (int b = 0; b < batch;) {
        const Complex* in = values + b * sources;
        Complex* to = out + b * targets;
        if (batch - b >= 4) {
            launch<4, adjoint>(work, in, to, slices, batch * targets, stream);
            b += 4;
        } else if (batch - b >= 2) {
            launch<2, adjoint>(work, in, to, slices, batch * targets, stream);
            b += 2;
        } else {
            launch<1, adjoint>(work, in, to, slices, batch * targets, stream);
            b += 1;
        }
    }
    if (slices > 1) {
        add_slices_kernel<<<1024, 256, 0, stream>>>(partial, batch * targets, slices, results);
        check_launch();
    }
}

}  // namespace

Index special_blocks(Index result_count) {
    return (result_count + threads * targets_per_thread - 1) / (threads * targets_per_thread);
}

void special_adjoint(const SpecialSums& work, const Complex* samples, int batch, Complex* image, int slices,
                     Complex* partial, cudaStream_t stream) {
    special_sums<true>(work, samples, batch, image, slices, partial, stream);
}

void special_forward(const SpecialSums& work, const Complex* image, int batch, Complex* samples, int slices,
                     Complex* partial, cudaStream_t stream) {
    special_sums<false>(work, image, batch, samples, slices, partial, stream);
}

}  // namespace recon::exact_sums
