#pragma once

#include "gpu/device/cuda_warp_instructions.cuh"
#include "gpu/gridding/gridding_bin_samples.cuh"
#include "gpu/gridding/gridding_bin_tile.cuh"

namespace recon {

// Interpolation in bins: for 16 samples of a bin
//
//     d[m] = sum_(y, z) wy[m, y] wz[m, z] sum_x wx[m, x] window[x, (y, z)],
//
// the inner sum a product of matrices, as in spreading (gridding_bin_spreading.cuh).

inline constexpr int bin_interpolating_warps = 4;

/// Factors of 16 samples: x as halves, in the order in which lanes meet them.
template <int width>
struct alignas(16) InterpolationFactors {
    static constexpr int stride = GriddingBins::window(width);

    __half high[16][GriddingBins::window_of_x];
    __half low[16][GriddingBins::window_of_x];
    float y[16][stride];
    float z[16][stride];

    __device__ void clear() { clear_shared<(sizeof(high) + sizeof(low) + sizeof(y) + sizeof(z)) / 16>(this); }

    __device__ void store(int m, const GroupPairs::Sample& sample, const GriddingLayout<float>& layout) {
        float weight[width];
        kernel_weights(layout, sample.place.polynomial_t[0], weight);
        const int first = sample.first(0);
#pragma unroll
        for (int i = 0; i < width; i += 2) {
            const SplitPair pair(weight[i], i + 1 < width ? weight[i + 1] : 0);
            high[m][place_of_x(first + i)] = __low2half(pair.high);
            low[m][place_of_x(first + i)] = __low2half(pair.low);
            if (i + 1 < width) {
                high[m][place_of_x(first + i + 1)] = __high2half(pair.high);
                low[m][place_of_x(first + i + 1)] = __high2half(pair.low);
            }
        }
        kernel_weights(layout, sample.place.polynomial_t[1], weight);
        store_axis(weight, &y[m][sample.first(1)]);
        kernel_weights(layout, sample.place.polynomial_t[2], weight);
        store_axis(weight, &z[m][sample.first(2)]);
    }

private:
    __device__ static int place_of_x(int x) { return x % 8 / 2 * 4 + x % 2 + x / 8 * 2; }
    __device__ static void store_axis(const float (&weight)[width], float* to) {
#pragma unroll
        for (int i = 0; i < width; ++i) {
            to[i] = weight[i];
        }
    }
};

template <int width>
std::size_t interpolate_bins_bytes() {
    return GriddingBins::tile_size(width) * sizeof(DeviceComplex<float>) +
           bin_interpolating_warps * 2 * sizeof(InterpolationFactors<width>);
}

/// Of numbers in shared memory, all threads of the block.
/// @param peaks  room for one a warp
__device__ inline float peak_of_block(const float4* values, int count, float* peaks) {
    float peak = 0;
    for (int i = threadIdx.x; i < count; i += 32 * bin_interpolating_warps) {
        const float4 value = values[i];
        peak = fmaxf(peak, fmaxf(fmaxf(fabsf(value.x), fabsf(value.y)), fmaxf(fabsf(value.z), fabsf(value.w))));
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, distance));
    }
    if (threadIdx.x % 32 == 0) {
        peaks[threadIdx.x / 32] = peak;
    }
    __syncthreads();
    peak = peaks[0];
    for (int i = 1; i < bin_interpolating_warps; ++i) {
        peak = fmaxf(peak, peaks[i]);
    }
    return peak;
}

/// Two neighbours along x, complex, become halves in the same place: high re, im, low re, im, each of both.
__device__ inline void split_in_place(float4* values, int count, float scale) {
    for (int i = threadIdx.x; i < count; i += 32 * bin_interpolating_warps) {
        const float4 value = values[i];
        const SplitPair re(scale * value.x, scale * value.z), im(scale * value.y, scale * value.w);
        *reinterpret_cast<uint4*>(values + i) = {bits_of(re.high), bits_of(im.high), bits_of(re.low), bits_of(im.low)};
    }
}

/// The sums over the window of a bin for 16 samples, by a warp; samples g and g + 8 in lanes 4 g, ..., 4 g + 3.
template <int width>
class BinInterpolation {
public:
    /// @param window  points as split_in_place leaves them
    __device__ static void sum(const InterpolationFactors<width>& factors, const DeviceComplex<float>* window,
                               DeviceComplex<float> (&total)[2]) {
        const int g = threadIdx.x % 32 / 4, t = threadIdx.x % 4;
        std::uint32_t high[4], low[4];
#pragma unroll
        for (int half = 0; half < 2; ++half) {
            const uint2 of_high = *reinterpret_cast<const uint2*>(&factors.high[g + 8 * half][4 * t]);
            const uint2 of_low = *reinterpret_cast<const uint2*>(&factors.low[g + 8 * half][4 * t]);
            high[half] = of_high.x;
            high[half + 2] = of_high.y;
            low[half] = of_low.x;
            low[half + 2] = of_low.y;
        }
        // What the lane reads of the window, and weights of the columns that it then has, in each product of a period.
        const DeviceComplex<float>* points[period];
        const float* of_z[period];
        float of_y[period][2][2];  // sample, column
#pragma unroll
        for (int i = 0; i < period; ++i) {
            const Rows read = rows(i, g / 2), had = rows(i, t);
            points[i] = window + read.z * plane + (read.y + g % 2 * 2) * GriddingBins::row_stride + 2 * t;
            of_z[i] = &factors.z[g][had.z];
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                of_y[i][half][0] = factors.y[g + 8 * half][had.y];
                of_y[i][half][1] = factors.y[g + 8 * half][had.y + 2];
            }
        }
        total[0] = total[1] = {0, 0};
#pragma unroll
        for (int begin = 0; begin < products; begin += at_once) {
            uint4 first[at_once], second[at_once];
#pragma unroll
            for (int j = 0; j < at_once; ++j) {
                const int product = begin + j;
                const auto* at = reinterpret_cast<const uint4*>(points[product % period] +
                                                                product / period * planes_of_period * plane);
                first[j] = at[0];
                second[j] = at[4];
            }
            // The products of a sum follow one another, so those of several sums take turns.
            float re[at_once][4], im[at_once][4];
#pragma unroll
            for (int j = 0; j < at_once; ++j) {
                warp::multiply_16_8_16_anew(re[j], low, first[j].x, second[j].x);
                warp::multiply_16_8_16_anew(im[j], low, first[j].y, second[j].y);
            }
#pragma unroll
            for (int j = 0; j < at_once; ++j) {
                warp::multiply_16_8_16(re[j], high, first[j].z, second[j].z);
                warp::multiply_16_8_16(im[j], high, first[j].w, second[j].w);
            }
#pragma unroll
            for (int j = 0; j < at_once; ++j) {
                warp::multiply_16_8_16(re[j], high, first[j].x, second[j].x);
                warp::multiply_16_8_16(im[j], high, first[j].y, second[j].y);
            }
#pragma unroll
            for (int j = 0; j < at_once; ++j) {
                const int product = begin + j;
                const float* z = of_z[product % period] + product / period * planes_of_period;
#pragma unroll
                for (int half = 0; half < 2; ++half) {
                    const float(&y)[2] = of_y[product % period][half];
                    const float weight = z[8 * half * InterpolationFactors<width>::stride];
                    total[half].re += weight * (y[0] * re[j][2 * half] + y[1] * re[j][2 * half + 1]);
                    total[half].im += weight * (y[0] * im[j][2 * half] + y[1] * im[j][2 * half + 1]);
                }
            }
        }
#pragma unroll
        for (int distance = 1; distance < 4; distance *= 2) {
#pragma unroll
            for (int half = 0; half < 2; ++half) {
                total[half].re += __shfl_xor_sync(~0u, total[half].re, distance);
                total[half].im += __shfl_xor_sync(~0u, total[half].im, distance);
            }
        }
    }

private:
    static constexpr int points_across = GriddingBins::window(width);
    static constexpr int plane = GriddingBins::plane_stride(width);
    static constexpr int products = points_across * points_across / 8;
    static constexpr int at_once = points_across == 8 ? 2 : 3;
    /// Products after which columns are the same again, some planes further on.
    static constexpr int period = points_across == 8 ? 1 : 3;
    static constexpr int planes_of_period = points_across == 8 ? 1 : 2;

    struct Rows {
        int y;  ///< and y + 2: lanes then meet different banks
        int z;
    };
    /// Columns 2 i and 2 i + 1 of a product.
    __device__ static Rows rows(int product, int i) {
        constexpr int pairs = points_across / 2;
        int pair = 4 * product + i;
        const int z = pair < pairs ? 0 : 1;
        pair -= z * pairs;
        return {pair / 2 * 4 + pair % 2, z};
    }
};

/// A block copies a tile with its halo to shared memory; its warps take pairs of the part's groups in turn.
template <int width>
__global__ void __launch_bounds__(32 * bin_interpolating_warps, GriddingBins::window(width) == 8 ? 5 : 3)
    interpolate_bins_kernel(const __grid_constant__ GriddingLayout<float> layout, const GriddingPart* parts,
                            const DeviceComplex<float>* grid, DeviceComplex<float>* samples) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<float>;
    constexpr int tile_size = GriddingBins::tile_size(width);
    const GriddingPart part = parts[blockIdx.x];
    samples += blockIdx.y * layout.sample_count;
    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const GriddingBinTile<width> tile(layout, part, memory);
    tile.read_grid(grid + blockIdx.y * layout.grid_elements());
    auto* factors = reinterpret_cast<InterpolationFactors<width>*>(tile.data() + tile_size);
    GroupPairs pairs(layout, part, warp, bin_interpolating_warps);
    tile.wait_for_grid();
    __syncthreads();
    auto* points = reinterpret_cast<float4*>(tile.data());
    const HalfScale scale(peak_of_block(points, tile_size / 2, reinterpret_cast<float*>(factors)));
    split_in_place(points, tile_size / 2, scale.scale);
    factors += 2 * warp;
    __syncthreads();

    for (; pairs.group_count() > 0; pairs.advance()) {
        const GroupPairs::Sample& sample = pairs.now();
        __syncwarp();
        factors[0].clear();
        factors[1].clear();
        __syncwarp();
        factors[lane / 16].store(lane % 16, sample, layout);
        __syncwarp();
        for (int group = 0; group < pairs.group_count(); ++group) {
            Complex total[2];
            const std::uint32_t window = __shfl_sync(~0u, sample.window, 16 * group);
            BinInterpolation<width>::sum(factors[group], tile.data() + GriddingBins::place_of(window, width), total);
            const int of_group = lane / 4 + lane % 2 * 8;
            const bool is_there = __shfl_sync(~0u, sample.is_there, 16 * group + of_group);
            const std::uint32_t source = __shfl_sync(~0u, sample.source, 16 * group + of_group);
            if (lane % 4 < 2 && is_there) {
                samples[source] = scale.inverse * (lane % 2 == 0 ? total[0] : total[1]);
            }
        }
    }
}

}  // namespace recon
