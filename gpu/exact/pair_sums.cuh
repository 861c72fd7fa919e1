#pragma once

#include <cstdint>

#include "core/base/types.hpp"
#include "gpu/device/device_complex.cuh"

namespace recon::pair_sums {

// Sums over pairs of a sample and a voxel with an exponential each, from the special-function units: targets in
// registers, sources in shared memory, a few images at a time that share the exponentials.

constexpr int threads = 128;
constexpr int targets_per_thread = 4;
constexpr int source_tile = 128;  ///< sources in shared memory at a time, and added in the precision of the images

/// Blocks that one slice of so many results makes.
inline Index block_count(Index result_count) {
    return (result_count + threads * targets_per_thread - 1) / (threads * targets_per_thread);
}

/// A position as a linear function of three integers modulo 2^32, of which 2^32 is one turn: the phase of a pair is
/// then exact integer arithmetic, whatever the size of k r.
struct Code {
    std::uint32_t at[3];
};

__device__ inline std::uint32_t phase_of(const Code& a, const Code& b) {
    return a.at[0] * b.at[0] + a.at[1] * b.at[1] + a.at[2] * b.at[2];
}

/// exp(i 2 pi phase / 2^32), absolute error below 5e-7.
///
/// The hardware's sine and cosine are used within a quarter of a turn of zero and negated beyond: their mean error over
/// all phases, which would grow with the number of samples, cancels.
__device__ inline DeviceComplex<float> phase_factor(std::uint32_t phase) {
    constexpr float radians = 7.31459039633578e-10F;  // pi / 2^32
    const std::uint32_t doubled = phase << 1;         // modulo half a turn, which is where the two highest bits differ
    const std::uint32_t sign = (phase ^ doubled) & 0x80000000U;
    const float angle = static_cast<float>(static_cast<std::int32_t>(doubled)) * radians;
    return {__uint_as_float(__float_as_uint(__cosf(angle)) ^ sign),
            __uint_as_float(__float_as_uint(__sinf(angle)) ^ sign)};
}

/// results[slice][b][target] = sum over the slice's sources of values[b][source] factor, conjugated in the forward sum.
///
/// `Phases` says what the factor of a pair is: types Voxel and Sample, functions voxel(n) and sample(m), the factor of
/// the adjoint sum factor(voxel, sample), and the types Real of the images and Total of the sums over tiles.
template <class Phases, int batch, bool adjoint>
__global__ void __launch_bounds__(threads)
    pair_sums_kernel(const __grid_constant__ Phases phases, const DeviceComplex<typename Phases::Real>* values,
                     Index value_stride, DeviceComplex<typename Phases::Total>* results, Index result_stride,
                     Index source_count, Index target_count, Index slice_stride) {
    using Value = DeviceComplex<typename Phases::Real>;
    using Total = typename Phases::Total;
    using Source = std::conditional_t<adjoint, typename Phases::Sample, typename Phases::Voxel>;
    using Target = std::conditional_t<adjoint, typename Phases::Voxel, typename Phases::Sample>;
    __shared__ Source sources[source_tile];
    __shared__ Value source_values[batch][source_tile];
    const auto source_at = [&](Index i) {
        if constexpr (adjoint) {
            return phases.sample(i);
        } else {
            return phases.voxel(i);
        }
    };
    const auto target_at = [&](Index i) {
        if constexpr (adjoint) {
            return phases.voxel(i);
        } else {
            return phases.sample(i);
        }
    };
    const auto factor_of = [&](const Target& target, const Source& source) {
        if constexpr (adjoint) {
            return phases.factor(target, source);
        } else {
            return conj(phases.factor(source, target));
        }
    };
    const Index base = Index{blockIdx.x} * threads * targets_per_thread + threadIdx.x;
    const Index steps = (source_count + source_tile - 1) / source_tile;
    const Index first_step = steps * blockIdx.y / gridDim.y;
    const Index last_step = steps * (blockIdx.y + 1) / gridDim.y;
    Target targets[targets_per_thread];
    DeviceComplex<Total> totals[targets_per_thread][batch] = {};
    for (int t = 0; t < targets_per_thread; ++t) {
        targets[t] = target_at(min(base + t * threads, target_count - 1));
    }
    for (Index step = first_step; step < last_step; ++step) {
        const Index source = step * source_tile + threadIdx.x;
        const bool exists = source < source_count;
        __syncthreads();
        sources[threadIdx.x] = exists ? source_at(source) : Source{};
        for (int b = 0; b < batch; ++b) {
            source_values[b][threadIdx.x] = exists ? values[b * value_stride + source] : Value{0, 0};
        }
        __syncthreads();
        Value sums[targets_per_thread][batch] = {};
#pragma unroll Phases::unrolled_sources
        for (int s = 0; s < source_tile; ++s) {
            const Source from = sources[s];
#pragma unroll
            for (int t = 0; t < targets_per_thread; ++t) {
                const Value factor = factor_of(targets[t], from);
#pragma unroll
                for (int b = 0; b < batch; ++b) {
                    sums[t][b] = multiply_add(source_values[b][s], factor, sums[t][b]);
                }
            }
        }
#pragma unroll
        for (int t = 0; t < targets_per_thread; ++t) {
#pragma unroll
            for (int b = 0; b < batch; ++b) {
                totals[t][b] = totals[t][b] + DeviceComplex<Total>{static_cast<Total>(sums[t][b].re),
                                                                   static_cast<Total>(sums[t][b].im)};
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
template <class From, class To>
__global__ void add_slices_kernel(const DeviceComplex<From>* partial, Index count, int slices,
                                  DeviceComplex<To>* results) {
    for (Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x; n < count; n += Index{gridDim.x} * blockDim.x) {
        DeviceComplex<From> sum = partial[n];
        for (int slice = 1; slice < slices; ++slice) {
            sum = sum + partial[slice * count + n];
        }
        results[n] = {static_cast<To>(sum.re), static_cast<To>(sum.im)};
    }
}

/// Calls function(first image, std::integral_constant of 4, 2 or 1 images) until all images of a batch are done.
template <class Function>
void for_each_few_images(Index batch, Function&& function) {
    for (Index b = 0; b < batch;) {
        if (batch - b >= 4) {
            function(b, std::integral_constant<int, 4>{});
            b += 4;
        } else if (batch - b >= 2) {
            function(b, std::integral_constant<int, 2>{});
            b += 2;
        } else {
            function(b, std::integral_constant<int, 1>{});
            b += 1;
        }
    }
}

}  // namespace recon::pair_sums
