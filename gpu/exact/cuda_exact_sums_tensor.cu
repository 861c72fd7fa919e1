// Exact sums on the tensor cores of compute capability 8.0 and later, by the matrix instructions of a warp.
#include "gpu/device/cuda_check.cuh"
#include "gpu/device/cuda_warp_instructions.cuh"
#include "gpu/exact/cuda_exact_sums_kernels.cuh"

namespace recon::exact_sums {
namespace {

using namespace warp;

// A block owns 128 rows (8 u x 16 y) and 128 or 64 columns; a warp 32 of the rows and half of the columns. The rows'
// factor is made in registers: A = W V, split into halves.
constexpr int y_tile = 16;
constexpr int row_warps = 4;
constexpr int block_threads = 256;
constexpr int stage_count = 3;
constexpr int groups_per_step = 2;

template <int columns>
struct Stage {
    __half b[groups_per_step][packed_group(columns)];
    float v[groups_per_step][y_tile][Tiling::group];
    float w[groups_per_step][Tiling::u_tile][Tiling::group];
};

using Share = BlockShare<y_tile, groups_per_step>;

/// All threads copy one step's factors, 16 bytes at a time.
template <int columns>
__device__ void fetch(Stage<columns>& stage, const TensorSums& work, const Share& share, int step) {
    const Tiling& tiling = work.tiling;
    const int thread = static_cast<int>(threadIdx.x);
    const Index group = Index{share.first_step + step} * groups_per_step;
    const auto* b =
        reinterpret_cast<const float4*>(work.b + (Index{share.tile} * work.groups + group) * packed_group(columns));
    constexpr int b_pieces = static_cast<int>(sizeof(stage.b) / sizeof(float4));
#pragma unroll
    for (int i = 0; i < b_pieces / block_threads; ++i) {
        copy_16(reinterpret_cast<float4*>(stage.b) + thread + i * block_threads, b + thread + i * block_threads);
    }
    constexpr int v_pieces = static_cast<int>(sizeof(stage.v[0]) / sizeof(float4));
    constexpr int w_pieces = static_cast<int>(sizeof(stage.w[0]) / sizeof(float4));
    static_assert(groups_per_step * (v_pieces + w_pieces) <= block_threads);
    if (thread < groups_per_step * v_pieces) {
        const Index from = (group + thread / v_pieces) * tiling.y_padded + share.y;
        copy_16(reinterpret_cast<float4*>(stage.v) + thread,
                reinterpret_cast<const float4*>(work.v + from * Tiling::group) + thread % v_pieces);
    } else if (thread < groups_per_step * (v_pieces + w_pieces)) {
        const int i = thread - groups_per_step * v_pieces;
        const Index from = (group + i / w_pieces) * tiling.u_padded + share.u;
        copy_16(reinterpret_cast<float4*>(stage.w) + i,
                reinterpret_cast<const float4*>(work.w + from * Tiling::group) + i % w_pieces);
    }
}

/// Two tiles of 16 rows x 16 samples of A, split.
template <int columns>
__device__ void make_rows(const Stage<columns>& stage, int i, int first_y, std::uint32_t (&high)[2][4],
                          std::uint32_t (&low)[2][4]) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int quad = lane % 4;
    const float4 w = reinterpret_cast<const float4*>(stage.w[i][lane / 4])[quad];
#pragma unroll
    for (int row = 0; row < 4; ++row) {
        const float4 v = reinterpret_cast<const float4*>(stage.v[i][first_y + row])[quad];
        split(w.x * v.x, w.y * v.y, high[row / 2][row % 2], low[row / 2][row % 2]);
        split(w.z * v.z, w.w * v.w, high[row / 2][row % 2 + 2], low[row / 2][row % 2 + 2]);
    }
}

template <int columns>
__global__ void __launch_bounds__(block_threads, 1) tensor_adjoint_kernel(const __grid_constant__ TensorSums work) {
    extern __shared__ __align__(128) unsigned char memory[];
    constexpr int warp_columns = columns / 2;
    constexpr int blocks_of_8 = warp_columns / 8;
    auto* stages = reinterpret_cast<Stage<columns>*>(memory);
    const Share share(work);
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp_index = static_cast<int>(threadIdx.x) / 32;
    const int first_y = warp_index % row_warps * 4;
    const int first_column = warp_index / row_warps * warp_columns;
    // Each lane's address within a group of four 8 x 8 blocks: two columns-of-8, two halves of the group's samples.
    const int lane_offset = (lane / 8 % 2) * packed_half(columns) / 2 + (first_column + lane / 16 * 8 + lane % 8) * 8;

    float totals[2][blocks_of_8][4] = {};
    float sums[2][blocks_of_8][4] = {};
    for (int step = 0; step < stage_count - 1; ++step) {
        if (step < share.steps) {
            fetch(stages[step], work, share, step);
        }
        copy_commit();
    }
    for (int step = 0; step < share.steps; ++step) {
        copy_wait<stage_count - 2>();
        __syncthreads();
        const int next = step + stage_count - 1;
        if (next < share.steps) {
            fetch(stages[next % stage_count], work, share, next);
        }
        copy_commit();
        const Stage<columns>& stage = stages[step % stage_count];
#pragma unroll
        for (int i = 0; i < groups_per_step; ++i) {
            std::uint32_t high[2][4];
            std::uint32_t low[2][4];
            make_rows(stage, i, first_y, high, low);
#pragma unroll
            for (int pair = 0; pair < blocks_of_8 / 2; ++pair) {
                std::uint32_t b_high[4];
                std::uint32_t b_low[4];
                load_matrices(b_high, stage.b[i] + lane_offset + pair * 16 * 8);
                load_matrices(b_low, stage.b[i] + packed_half(columns) + lane_offset + pair * 16 * 8);
#pragma unroll
                for (int column = 0; column < 2; ++column) {
#pragma unroll
                    for (int t = 0; t < 2; ++t) {
                        float(&d)[4] = sums[t][2 * pair + column];
                        multiply_16_8_16(d, low[t], b_high[2 * column], b_high[2 * column + 1]);
                        multiply_16_8_16(d, high[t], b_low[2 * column], b_low[2 * column + 1]);
                        multiply_16_8_16(d, high[t], b_high[2 * column], b_high[2 * column + 1]);
                    }
                }
            }
        }
        if ((step + 1) % work.promotion == 0 || step + 1 == share.steps) {
#pragma unroll
            for (int i = 0; i < 2 * blocks_of_8; ++i) {
#pragma unroll
                for (int j = 0; j < 4; ++j) {
                    totals[i % 2][i / 2][j] += sums[i % 2][i / 2][j];
                    sums[i % 2][i / 2][j] = 0;
                }
            }
        }
    }
    copy_wait<0>();

    const Tiling& tiling = work.tiling;
    float* out = work.sums + share.slice * tiling.sums_size() + share.tile * columns + first_column + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < 4 * blocks_of_8; ++i) {
        const int row_in_warp = i / blocks_of_8;
        const Index row = Index{share.u + lane / 4} * tiling.y_padded + share.y + first_y + row_in_warp;
        auto* at = reinterpret_cast<float2*>(out + row * tiling.x_padded + i % blocks_of_8 * 8);
        const float* total = &totals[row_in_warp / 2][i % blocks_of_8][row_in_warp % 2 * 2];
        float2 value = {total[0], total[1]};
        if (work.accumulate) {
            value = {value.x + at->x, value.y + at->y};
        }
        *at = value;
    }
}

template <int columns>
void launch(const TensorSums& work, cudaStream_t stream) {
    const Tiling& tiling = work.tiling;
    const dim3 grid(static_cast<unsigned>(tiling.u_padded / Tiling::u_tile),
                    static_cast<unsigned>(tiling.y_padded / y_tile),
                    static_cast<unsigned>(tiling.column_tiles() * work.slices));
    constexpr int bytes = stage_count * sizeof(Stage<columns>);
    check(cudaFuncSetAttribute(tensor_adjoint_kernel<columns>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    tensor_adjoint_kernel<columns><<<grid, block_threads, bytes, stream>>>(work);
    check_launch();
}

}  // namespace

void tensor_adjoint(const TensorSums& work, cudaStream_t stream) {
    work.tiling.column_tile == 128 ? launch<128>(work, stream) : launch<64>(work, stream);
}

}  // namespace recon::exact_sums
