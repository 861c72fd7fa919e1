// Mirrors core/backend/cpu/cpu_position_sums.cpp.
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "gpu/backend/cuda_backend.cuh"
#include "gpu/device/device_complex.cuh"
#include "gpu/exact/pair_sums.cuh"

namespace recon {
namespace {

constexpr int threads = 128;
constexpr int positions_per_thread = 4;
constexpr int tile = 128;  ///< samples in shared memory at a time, and added in T
constexpr Index positions_per_block = Index{threads} * positions_per_thread;

/// Positions on the device, one array a component.
template <class T>
struct Components {
    const T* at[3];
};

/// A sample as the inner loop reads it: two or three loads that serve all threads and all positions of each.
template <class T>
struct alignas(4 * sizeof(T)) Sample {
    T k[3];
    DeviceComplex<T> value;
};

/// exp(i 2 pi k.r); absolute error below 1e-6 in single precision, for |k_d r_d| below 2^20 turns.
///
/// Each product is reduced by the whole number next to it before anything is rounded, the last by half turns: adding
/// 1.5 2^23 (2^22) rounds to whole (half) numbers. The hardware's sine and cosine are used within a quarter of a turn
/// of zero and negated beyond, so that their mean error over all phases, which would grow with the number of samples,
/// cancels.
__device__ DeviceComplex<float> pair_factor(const float (&k)[3], const float (&r)[3]) {
    constexpr float whole_shift = 12582912.0F;
    constexpr float half_shift = 6291456.0F;
    const float x = fmaf(k[0], r[0], -(fmaf(k[0], r[0], whole_shift) - whole_shift));
    const float y = fmaf(k[1], r[1], -(fmaf(k[1], r[1], whole_shift) - whole_shift));
    const float rest = x + y;
    const float shifted = fmaf(k[2], r[2], rest) + half_shift;
    const float turns = fmaf(k[2], r[2], -(shifted - half_shift)) + rest;
    const std::uint32_t sign = __float_as_uint(shifted) << 31;  // the last bit counts half turns
    const float angle = turns * 6.283185307179586F;
    return {__uint_as_float(__float_as_uint(__cosf(angle)) ^ sign),
            __uint_as_float(__float_as_uint(__sinf(angle)) ^ sign)};
}

__device__ DeviceComplex<double> pair_factor(const double (&k)[3], const double (&r)[3]) {
    double turns = 0;
    for (int axis = 0; axis < 3; ++axis) {
        turns += fma(k[axis], r[axis], -rint(k[axis] * r[axis]));
    }
    DeviceComplex<double> factor;
    sincospi(2 * turns, &factor.im, &factor.re);
    return factor;
}

/// partial[slice][n] = sum over the slice's samples: positions in registers, samples in shared memory, tiles summed in
/// T and added in double.
template <class T>
__global__ void __launch_bounds__(threads)
    position_sums_kernel(Components<T> k, const DeviceComplex<T>* values, Index sample_count, Components<T> r,
                         Index position_count, DeviceComplex<double>* partial) {
    __shared__ Sample<T> samples[tile];
    const Index first = Index{blockIdx.x} * positions_per_block + threadIdx.x;
    const Index tiles = (sample_count + tile - 1) / tile;
    const Index end = tiles * (blockIdx.y + 1) / gridDim.y;
    T position[positions_per_thread][3];
    DeviceComplex<double> totals[positions_per_thread] = {};
    for (int p = 0; p < positions_per_thread; ++p) {
        const Index n = min(first + p * threads, position_count - 1);
        for (int axis = 0; axis < 3; ++axis) {
            position[p][axis] = r.at[axis][n];
        }
    }
    for (Index step = tiles * blockIdx.y / gridDim.y; step < end; ++step) {
        const Index m = step * tile + threadIdx.x;
        __syncthreads();
        samples[threadIdx.x] =
            m < sample_count ? Sample<T>{{k.at[0][m], k.at[1][m], k.at[2][m]}, values[m]} : Sample<T>{};
        __syncthreads();
        DeviceComplex<T> sums[positions_per_thread] = {};
#pragma unroll 4
        for (int s = 0; s < tile; ++s) {
            const Sample<T> sample = samples[s];
#pragma unroll
            for (int p = 0; p < positions_per_thread; ++p) {
                sums[p] = multiply_add(sample.value, pair_factor(sample.k, position[p]), sums[p]);
            }
        }
#pragma unroll
        for (int p = 0; p < positions_per_thread; ++p) {
            totals[p] = totals[p] + DeviceComplex<double>{sums[p].re, sums[p].im};
        }
    }
    for (int p = 0; p < positions_per_thread; ++p) {
        const Index n = first + p * threads;
        if (n < position_count) {
            partial[blockIdx.y * position_count + n] = totals[p];
        }
    }
}

/// Sums at arbitrary positions: a sine and a cosine for every pair. The same bytes every run.
template <class T>
class CudaPositionSums final : public PositionSums {
public:
    CudaPositionSums(CudaBackend& backend, const Trajectory& trajectory, const Positions& positions)
        : PositionSums(trajectory.sample_count(), positions.count(), precision_of<T>), backend_(backend) {
        for (int axis = 0; axis < 3; ++axis) {
            k_[axis] = uploaded(trajectory.k[axis]);
            r_[axis] = uploaded(positions.r[axis]);
        }
    }

private:
    DeviceBuffer<T> uploaded(const std::vector<double>& values) const {
        const std::vector<T> converted(values.begin(), values.end());
        return DeviceBuffer<T>(backend_.queue(), std::span<const T>(converted));
    }

    /// Runs of samples that are summed apart, so that small problems fill the device as well: eight blocks run at a
    /// time on a multiprocessor, and four times as many leave none idle for long.
    int slice_count(Index blocks) const {
        constexpr Index most_slices = 64;
        const Index wanted = Index{backend_.queue().multiprocessor_count()} * 8 * 4;
        const Index tiles = (sample_count() + tile - 1) / tile;
        return static_cast<int>(std::clamp<Index>(wanted / blocks, 1, std::min(most_slices, tiles)));
    }

    void do_adjoint(ConstArrayView samples, ArrayView result) const override {
        backend_.require_here("samples of position sums", samples, precision());
        backend_.require_here("result of position sums", result, precision());
        const Index blocks = (position_count() + positions_per_block - 1) / positions_per_block;
        const int slices = slice_count(blocks);
        DeviceBuffer<DeviceComplex<double>> partial(backend_.queue(), slices * position_count());
        const cudaStream_t stream = backend_.queue().stream();
        const dim3 grid(static_cast<unsigned>(blocks), static_cast<unsigned>(slices));
        position_sums_kernel<T><<<grid, threads, 0, stream>>>(
            Components<T>{k_[0].data(), k_[1].data(), k_[2].data()}, as_device(samples.data<T>()), sample_count(),
            Components<T>{r_[0].data(), r_[1].data(), r_[2].data()}, position_count(), partial.data());
        check_launch();
        pair_sums::add_slices_kernel<<<blocks_for(position_count(), threads), threads, 0, stream>>>(
            partial.data(), position_count(), slices, as_device(result.data<T>()));
        check_launch();
    }

    CudaBackend& backend_;
    DeviceBuffer<T> k_[3];
    DeviceBuffer<T> r_[3];
};

double largest_modulus(const std::vector<double>& values) {
    double largest = 0;
    for (const double value : values) {
        largest = std::max(largest, std::abs(value));
    }
    return largest;
}

}  // namespace

std::unique_ptr<PositionSums> make_cuda_position_sums(CudaBackend& backend, const Trajectory& trajectory,
                                                      const Positions& positions, Precision precision) {
    require_equal_lengths("position sums: trajectory", trajectory.k);
    require_equal_lengths("position sums: positions", positions.r);
    constexpr double most_turns = 1 << 20;
    for (int axis = 0; axis < 3 && precision == Precision::single; ++axis) {
        const double turns = largest_modulus(trajectory.k[axis]) * largest_modulus(positions.r[axis]);
        if (!(turns < most_turns)) {
            throw InputError(backend.name() +
                             ": positions times trajectory reach a million turns along one axis; use `precision` "
                             "double or `device` cpu");
        }
    }
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<PositionSums> {
        return std::make_unique<CudaPositionSums<decltype(tag)>>(backend, trajectory, positions);
    });
}

}  // namespace recon
