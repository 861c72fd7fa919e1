#pragma once

#include "gpu/device/cuda_warp_instructions.cuh"
#include "gpu/gridding/gridding_bin_tile.cuh"
#include "gpu/gridding/gridding_spread_factors.cuh"

namespace recon {

// Spreading in bins. With the weights of the kernel, zero where it does not reach, 16 samples of a bin are
//
//     window[x, (y, z)] += sum_m (wx[m, x] d[m]) (wy[m, y] wz[m, z]),
//
// a product of matrices, which tensor cores make of halves: each factor is a sum of two, and the product of the low
// ones is left out. That is good to some 2e-7 of each term.

inline constexpr int bin_spreading_warps = 2;

/// The largest |re|, |im| of each image; blocks (run of numbers, image).
template <int threads>
__global__ void __launch_bounds__(threads) peak_kernel(const DeviceComplex<float>* values, Index count, float* peaks) {
    values += blockIdx.y * count;
    float peak = 0;
    for (Index i = blockIdx.x * Index{threads} + threadIdx.x; i < count; i += gridDim.x * Index{threads}) {
        const DeviceComplex<float> value = load_constant(values + i);
        peak = fmaxf(peak, fmaxf(fabsf(value.re), fabsf(value.im)));
    }
    for (int distance = 16; distance > 0; distance /= 2) {
        peak = fmaxf(peak, __shfl_xor_sync(~0u, peak, distance));
    }
    if (threadIdx.x % 32 == 0) {
        atomicMax(reinterpret_cast<int*>(peaks + blockIdx.y), __float_as_int(peak));  // in the order of their bits
    }
}

/// A block's shared memory behind its tile: for each warp the two groups that it prepares.
template <int width>
struct SpreadRound {
    static constexpr int most_groups = 2 * bin_spreading_warps;

    SpreadFactors<width> factors[most_groups];
    int window[most_groups];  ///< its place in the tile, or -1
};

template <int width>
std::size_t spread_bins_bytes() {
    return GriddingBins::tile_size(width) * sizeof(DeviceComplex<float>) + sizeof(SpreadRound<width>);
}

/// The sums over samples of one bin in the registers of a warp, which looks after a part of the columns (y, z): lane
/// 4 g + t has points 2 g, 2 g + 1 along x, and those columns with y = t modulo 4.
template <int width>
class BinSum {
public:
    static constexpr int window = GriddingBins::window(width);
    static constexpr int products = window * window / 8 / bin_spreading_warps;  ///< of 8 columns
    /// Products after which rows are the same again, some planes further on.
    static constexpr int period = window == 8 ? 1 : 3;
    static constexpr int planes_of_period = window == 8 ? 1 : 2;
    static constexpr int quads = window / 4;  ///< of y

    /// The columns begin at (0, first_z).
    __device__ explicit BinSum(int first_z) : first_z_(first_z), g_(threadIdx.x % 32 / 4), t_(threadIdx.x % 4) {}

    __device__ void add(const SpreadFactors<width>& factors) {
        const SplitQuad even = factors.x[g_][t_], odd = factors.x[g_ + 8][t_];
        std::uint32_t high[2][4], low[2][4];
#pragma unroll
        for (int part = 0; part < 2; ++part) {
            const SplitQuad value = factors.value[part][t_];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
                const SplitProduct product(i % 2 == 0 ? even : odd, value, i / 2);
                high[part][i] = product.high;
                low[part][i] = product.low;
            }
        }
        SplitQuad of_y[period];
#pragma unroll
        for (int j = 0; j < period; ++j) {
            of_y[j] = factors.y[column(j, g_ % 2, g_ / 2).y][t_];
        }
        // The products of a sum follow one another, so those of several sums take turns.
        constexpr int at_once = window == 8 ? 4 : 3;
#pragma unroll
        for (int begin = 0; begin < products; begin += at_once) {
            std::uint32_t columns_high[at_once][2], columns_low[at_once][2];
#pragma unroll
            for (int j = 0; j < at_once; ++j) {
                const SplitQuad of_z = factors.z[first_z_ + column(begin + j, g_ % 2, g_ / 2).z][t_];
#pragma unroll
                for (int pair = 0; pair < 2; ++pair) {
                    const SplitProduct product(of_y[j % period], of_z, pair);
                    columns_high[j][pair] = product.high;
                    columns_low[j][pair] = product.low;
                }
            }
            const auto multiply = [&](const std::uint32_t(&rows)[2][4], const std::uint32_t(&columns)[at_once][2]) {
#pragma unroll
                for (int j = 0; j < at_once; ++j) {
#pragma unroll
                    for (int part = 0; part < 2; ++part) {
                        warp::multiply_16_8_16(sum_[part][begin + j], rows[part], columns[j][0], columns[j][1]);
                    }
                }
            };
            multiply(low, columns_high);
            multiply(high, columns_low);
            multiply(high, columns_high);
        }
    }

    /// Adds it, times a factor, to a window of the tile, and is zero again. Callers synchronise the block.
    __device__ void add_to(DeviceComplex<float>* window_of_tile, float factor) {
        DeviceComplex<float>* lane =
            window_of_tile + first_z_ * GriddingBins::plane_stride(width) + t_ * GriddingBins::row_stride + 2 * g_;
        constexpr int at_once = window == 8 ? 8 : 6;
#pragma unroll
        for (int first = 0; first < 2 * products; first += at_once) {
            float4 value[at_once];
            const auto point = [&](int i) {
                const auto [y, z] = column((first + i) / 2, (first + i) % 2, 0);
                return reinterpret_cast<float4*>(lane + z * GriddingBins::plane_stride(width) +
                                                 y * GriddingBins::row_stride);
            };
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                value[i] = *point(i);
            }
#pragma unroll
            for (int i = 0; i < at_once; ++i) {
                float(&re)[4] = sum_[0][(first + i) / 2];
                float(&im)[4] = sum_[1][(first + i) / 2];
                const int of_row = (first + i) % 2;
                *point(i) = {value[i].x + factor * re[of_row], value[i].y + factor * im[of_row],
                             value[i].z + factor * re[of_row + 2], value[i].w + factor * im[of_row + 2]};
                re[of_row] = re[of_row + 2] = im[of_row] = im[of_row + 2] = 0;
            }
        }
    }

private:
    struct Column {
        int y;
        int z;
    };
    /// The even or odd columns of a product: four of y, of one z.
    __device__ static Column column(int product, int odd, int of_four) {
        const int quad = 2 * (product % period) + odd;
        const int plane = quad < quads ? 0 : 1;
        return {(quad - plane * quads) * 4 + of_four, product / period * planes_of_period + plane};
    }

    int first_z_;
    int g_;
    int t_;
    float sum_[2][products][4] = {};
};

/// A block spreads one part into shared memory, on top of what the grid holds, or into a slot. Its warps prepare two
/// groups each, and then each adds up all of them in its own planes of the window: every sum has one order.
template <int width>
__global__ void __launch_bounds__(32 * bin_spreading_warps)
    spread_bins_kernel(const __grid_constant__ GriddingLayout<float> layout, const GriddingPart* parts,
                       const float* peaks, const DeviceComplex<float>* samples, DeviceComplex<float>* grid,
                       DeviceComplex<float>* slots) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<float>;
    constexpr int most_groups = 8;  // whose sums tensor cores make: these round towards zero
    const GriddingPart part = parts[blockIdx.x];
    samples += blockIdx.y * layout.sample_count;
    grid += blockIdx.y * layout.grid_elements();
    slots += (blockIdx.y * layout.slot_total + part.first_slot) * layout.slot_size;
    const HalfScale scale(peaks[blockIdx.y]);
    const GriddingBinTile<width> tile(layout, part, memory);
    auto& round = *reinterpret_cast<SpreadRound<width>*>(tile.data() + tile.size);
    tile.begin_sum(grid);

    const int warp = threadIdx.x / 32, lane = threadIdx.x % 32;
    const auto value_of = [&](const GroupPairs::Sample& sample) {
        return sample.is_there ? load_constant(samples + sample.source) : Complex{0, 0};
    };
    GroupPairs pairs(layout, part, warp, bin_spreading_warps);
    Complex value = value_of(pairs.now());
    BinSum<width> sum(warp * (GriddingBins::window(width) / bin_spreading_warps));
    int window = 0;  // of the bin that is added up
    int group_count = 0;
    const auto add_up = [&] {
        __syncthreads();  // the other warp's planes of the window before are some of this one's
        sum.add_to(tile.data() + window, scale.inverse);
    };
    tile.wait_for_grid();
    for (int done = 0; done < part.sample_count; done += SpreadRound<width>::most_groups) {
        const int group = 2 * warp + lane / 16;
        __syncthreads();
        round.factors[2 * warp].clear();
        round.factors[2 * warp + 1].clear();
        __syncwarp();
        round.factors[group].store(lane % 16, pairs.now(), layout, scale.scale * value);
        if (lane % 16 == 0) {
            round.window[group] =
                lane / 16 < pairs.group_count() ? GriddingBins::place_of(pairs.now().window, width) : -1;
        }
        value = value_of(pairs.next());
        pairs.advance();
        __syncthreads();
        for (int i = 0; i < SpreadRound<width>::most_groups && round.window[i] >= 0; ++i) {
            if (round.window[i] != window || group_count == most_groups) {
                if (group_count > 0) {
                    add_up();
                }
                window = round.window[i];
                group_count = 0;
            }
            sum.add(round.factors[i]);
            ++group_count;
        }
    }
    add_up();
    __syncthreads();
    tile.end_sum(grid, slots);
}

}  // namespace recon
