// Exact forward sums on the tensor cores: for a tile of samples and a tile of (part, z, y) the sum over x is a matrix
// product, and the sums over y and z are taken from its accumulators. Mirrors core/backend/cpu/exact/exact_forward.cpp.
#include "gpu/device/cuda_check.cuh"
#include "gpu/device/cuda_warp_instructions.cuh"
#include "gpu/exact/cuda_exact_sums_kernels.cuh"
#include "gpu/exact/cuda_exact_sums_octant.cuh"

namespace recon::exact_sums {
namespace {

using namespace warp;

constexpr int tile_columns = ForwardTiling::tile_columns;
constexpr int sample_tile = 128;
constexpr int block_threads = 256;
constexpr int row_warps = 4;
constexpr int warp_columns = 64;
constexpr int resident_groups = 8;  ///< groups of 16 x whose factors stay in shared memory
constexpr int groups_per_step = 2;

struct Stage {
    __half b[groups_per_step][packed_group(tile_columns)];
};

template <int stage_count>
struct SharedMemory {
    __half a[resident_groups][packed_group(tile_columns)];
    Stage stages[stage_count];
};

/// Offset of (row, inner) in a packed group, high half. Rows are samples in A, columns of the tile in B.
__device__ int packed_offset(int row, int inner) { return (inner / 8 * tile_columns + row) * 8 + inner % 8; }

__global__ void fold_image_kernel(ForwardTiling tiling, const Complex* image, const float* peaks, __half* b) {
    // A coefficient is a sum of eight voxels: an eighth of the scale keeps it within fp16's range.
    const auto scale = [=](int batch) { return 0.125F * scale_for(peaks[batch]); };
    fold_octant(tiling.axis, image, scale, [=](int batch, int z, int y, int x, const Complex& coefficient) {
        const int tile = z / tiling.z_tile * tiling.y_tiles + y / tiling.y_tile();
        const int y_in_tile = y % tiling.y_tile();
        const int column = (y_in_tile / 8 * tiling.z_tile + z % tiling.z_tile) * 8 + y_in_tile % 8;
        for (int part = 0; part < 2; ++part) {
            const Index group =
                (Index{2 * batch + part} * tiling.tiles_per_part() + tile) * tiling.x_groups + x / Tiling::group;
            __half* high = b + group * packed_group(tile_columns) + packed_offset(column, x % Tiling::group);
            split(part == 0 ? coefficient.re : coefficient.im, high[0], high[packed_half(tile_columns)]);
        }
    });
}

/// One thread a (sample, eight x).
__global__ void make_sample_factors_kernel(Positions positions, ForwardTiling tiling, Chunk chunk, __half* a) {
    const int row = static_cast<int>(threadIdx.x);
    const int half = static_cast<int>(threadIdx.y);
    const int group = static_cast<int>(blockIdx.y);
    const int i = static_cast<int>(blockIdx.x) * sample_tile + row;
    __half* high =
        a + (Index{blockIdx.x} * tiling.x_groups + group) * packed_group(tile_columns) + packed_offset(row, 8 * half);
    for (int inner = 0; inner < 8; ++inner) {
        const int x = group * Tiling::group + 8 * half + inner;
        const bool inside = x < tiling.axis[0].extent && i < chunk.count;
        split(inside ? tiling.axis[0].factor(positions.k[0][chunk.first + i], x) : 0.0F, high[inner],
              high[inner + packed_half(tile_columns)]);
    }
}

/// y factors as [sample][y], z factors as [z][sample].
__global__ void make_weights_kernel(Positions positions, ForwardTiling tiling, Chunk chunk, int padded,
                                    float* y_factors, float* z_factors) {
    const Index rows = tiling.y_padded() + tiling.z_padded();
    for (Index n = blockIdx.x * Index{blockDim.x} + threadIdx.x; n < rows * padded;
         n += Index{gridDim.x} * blockDim.x) {
        const bool is_y = n < Index{tiling.y_padded()} * padded;
        const Index rest = is_y ? n : n - Index{tiling.y_padded()} * padded;
        const int i = static_cast<int>(is_y ? rest / tiling.y_padded() : rest % padded);
        const int e = static_cast<int>(is_y ? rest % tiling.y_padded() : rest / padded);
        const HalfAxis& axis = tiling.axis[is_y ? 1 : 2];
        const bool inside = e < axis.extent && i < chunk.count;
        (is_y ? y_factors : z_factors)[rest] =
            inside ? axis.factor(positions.k[is_y ? 1 : 2][chunk.first + i], e) : 0.0F;
    }
}

__device__ void fetch_b(Stage& stage, const __half* b, const ForwardTiling& tiling, Index tile, int first_group,
                        int group_count) {
    const auto* from =
        reinterpret_cast<const float4*>(b + (tile * tiling.x_groups + first_group) * packed_group(tile_columns));
    auto* to = reinterpret_cast<float4*>(stage.b);
    constexpr int pieces = packed_group(tile_columns) / 8;
    for (int i = static_cast<int>(threadIdx.x); i < group_count * pieces; i += block_threads) {
        copy_16(to + i, from + i);
    }
}

template <int stage_count>
__global__ void __launch_bounds__(block_threads, 1) tensor_forward_kernel(const __grid_constant__ ForwardSums work) {
    extern __shared__ __align__(128) unsigned char memory[];
    auto& shared = *reinterpret_cast<SharedMemory<stage_count>*>(memory);
    const ForwardTiling& tiling = work.tiling;
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int warp_index = static_cast<int>(threadIdx.x) / 32;
    const int first_row = warp_index % row_warps * 32;
    const int column_warp = warp_index / row_warps;
    const int part = static_cast<int>(blockIdx.y);
    const Index first_sample = Index{blockIdx.x} * sample_tile + first_row + lane / 4;
    const int first_tile = static_cast<int>(Index{tiling.tiles_per_part()} * blockIdx.z / work.slices);
    const int last_tile = static_cast<int>(Index{tiling.tiles_per_part()} * (blockIdx.z + 1) / work.slices);
    // Blocks of 8 x 8 that make A: rows 0-7, rows 8-15, then the other half of the inner dimension. B: both halves of
    // eight columns, then of the next eight.
    const int a_offset = packed_offset(first_row + lane % 16, lane / 16 * 8);
    const int b_offset = packed_offset(column_warp * warp_columns + lane / 16 * 8 + lane % 8, lane / 8 % 2 * 8);

    float totals[4] = {};
    for (int first_group = 0; first_group < tiling.x_groups; first_group += resident_groups) {
        const int groups = min(resident_groups, tiling.x_groups - first_group);
        const int steps_per_tile = (groups + groups_per_step - 1) / groups_per_step;
        const int steps = (last_tile - first_tile) * steps_per_tile;
        const auto fetch = [&](int step) {
            if (step < steps) {
                const Index tile = Index{part} * tiling.tiles_per_part() + first_tile + step / steps_per_tile;
                const int group = step % steps_per_tile * groups_per_step;
                fetch_b(shared.stages[step % stage_count], work.b, tiling, tile, first_group + group,
                        min(groups_per_step, groups - group));
            }
            copy_commit();
        };
        __syncthreads();
        const auto* a = reinterpret_cast<const float4*>(work.a + (Index{blockIdx.x} * tiling.x_groups + first_group) *
                                                                     packed_group(tile_columns));
        for (int i = static_cast<int>(threadIdx.x); i < groups * packed_group(tile_columns) / 8; i += block_threads) {
            copy_16(reinterpret_cast<float4*>(shared.a) + i, a + i);
        }
        for (int step = 0; step < stage_count - 1; ++step) {
            fetch(step);
        }
        float sums[2][8][4] = {};
        for (int step = 0; step < steps; ++step) {
            copy_wait<stage_count - 2>();
            __syncthreads();
            fetch(step + stage_count - 1);
            const Stage& stage = shared.stages[step % stage_count];
            const int group = step % steps_per_tile * groups_per_step;
#pragma unroll
            for (int i = 0; i < groups_per_step; ++i) {
                if (group + i >= groups) {
                    break;
                }
                std::uint32_t high[2][4];
                std::uint32_t low[2][4];
#pragma unroll
                for (int t = 0; t < 2; ++t) {
                    load_matrices(high[t], shared.a[group + i] + a_offset + t * 16 * 8);
                    load_matrices(low[t], shared.a[group + i] + packed_half(tile_columns) + a_offset + t * 16 * 8);
                }
#pragma unroll
                for (int pair = 0; pair < 4; ++pair) {
                    std::uint32_t b_high[4];
                    std::uint32_t b_low[4];
                    load_matrices(b_high, stage.b[i] + b_offset + pair * 16 * 8);
                    load_matrices(b_low, stage.b[i] + packed_half(tile_columns) + b_offset + pair * 16 * 8);
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
            if ((step + 1) % steps_per_tile != 0) {
                continue;
            }
            // sum over the tile's columns: accumulators times y and z factors
            const int tile = first_tile + step / steps_per_tile;
            const int z0 = tile / tiling.y_tiles * tiling.z_tile;
            const int y0 = tile % tiling.y_tiles * tiling.y_tile() + lane % 4 * 2;
            float tile_sums[4] = {};
#pragma unroll
            for (int g = 0; g < 8; ++g) {
                const int block = column_warp * 8 + g;
                const int z = z0 + block % tiling.z_tile;
                const int y = y0 + block / tiling.z_tile * 8;
#pragma unroll
                for (int row = 0; row < 4; ++row) {
                    const Index m = first_sample + row * 8;
                    const float2 fy = *reinterpret_cast<const float2*>(work.y_factors + m * tiling.y_padded() + y);
                    const float fz = work.z_factors[Index{z} * work.padded + m];
                    float(&d)[4] = sums[row / 2][g];
                    tile_sums[row] += fz * (fy.x * d[row % 2 * 2] + fy.y * d[row % 2 * 2 + 1]);
                    d[row % 2 * 2] = 0;
                    d[row % 2 * 2 + 1] = 0;
                }
            }
#pragma unroll
            for (int row = 0; row < 4; ++row) {
                totals[row] += tile_sums[row];
            }
        }
        copy_wait<0>();
    }
#pragma unroll
    for (int row = 0; row < 4; ++row) {
        totals[row] += __shfl_xor_sync(0xFFFFFFFFU, totals[row], 1);
        totals[row] += __shfl_xor_sync(0xFFFFFFFFU, totals[row], 2);
        if (lane % 4 == 0) {
            const Index piece = Index{blockIdx.z} * 2 + column_warp;
            work.partial[(piece * tiling.parts + part) * work.padded + first_sample + row * 8] = totals[row];
        }
    }
}

__global__ void unfold_samples_kernel(Positions positions, Fold fold, ForwardSums work, Chunk chunk, const float* peaks,
                                      Complex* samples) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= chunk.count) {
        return;
    }
    const Index m = chunk.first + i;
    float sine = 0;
    float cosine = 0;
    sincospif(static_cast<float>(-2 * fold.turns(positions, m)), &sine, &cosine);
    const int parts = work.tiling.parts;
    for (int b = 0; b < parts / 2; ++b) {
        Complex sum{0, 0};
        for (int piece = 0; piece < 2 * work.slices; ++piece) {
            const float* partial = work.partial + (Index{piece} * parts + 2 * b) * work.padded + i;
            sum = sum + Complex{partial[0], partial[work.padded]};
        }
        samples[b * positions.count + m] = (8 / scale_for(peaks[b])) * (sum * Complex{cosine, sine});
    }
}

template <int stage_count>
void launch(const ForwardSums& work, const dim3& grid, cudaStream_t stream) {
    constexpr int bytes = sizeof(SharedMemory<stage_count>);
    check(cudaFuncSetAttribute(tensor_forward_kernel<stage_count>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    tensor_forward_kernel<stage_count><<<grid, block_threads, bytes, stream>>>(work);
    check_launch();
}

}  // namespace

void fold_image(const ForwardTiling& tiling, const Complex* image, const float* peaks, __half* b, cudaStream_t stream) {
    check(cudaMemsetAsync(b, 0, static_cast<std::size_t>(tiling.packed_size()) * sizeof(__half), stream));
    constexpr unsigned octant_threads = 64;
    fold_image_kernel<<<octant_grid(tiling.axis, tiling.parts / 2, octant_threads), octant_threads, 0, stream>>>(
        tiling, image, peaks, b);
    check_launch();
}

void make_forward_factors(const Positions& positions, const ForwardTiling& tiling, Chunk chunk, Index padded, __half* a,
                          float* y_factors, float* z_factors, cudaStream_t stream) {
    make_sample_factors_kernel<<<dim3(static_cast<unsigned>(padded / sample_tile),
                                      static_cast<unsigned>(tiling.x_groups)),
                                 dim3(sample_tile, 2), 0, stream>>>(positions, tiling, chunk, a);
    check_launch();
    make_weights_kernel<<<1024, 256, 0, stream>>>(positions, tiling, chunk, static_cast<int>(padded), y_factors,
                                                  z_factors);
    check_launch();
}

void tensor_forward(const ForwardSums& work, std::size_t shared_limit, cudaStream_t stream) {
    const dim3 grid(static_cast<unsigned>(work.padded / sample_tile), static_cast<unsigned>(work.tiling.parts),
                    static_cast<unsigned>(work.slices));
    if (shared_limit >= sizeof(SharedMemory<4>)) {
        launch<4>(work, grid, stream);
    } else {
        launch<2>(work, grid, stream);
    }
}

void unfold_samples(const Positions& positions, const Fold& fold, const ForwardSums& work, Chunk chunk,
                    const float* peaks, Complex* samples, cudaStream_t stream) {
    unfold_samples_kernel<<<static_cast<unsigned>((chunk.count + 255) / 256), 256, 0, stream>>>(positions, fold, work,
                                                                                                chunk, peaks, samples);
    check_launch();
}

}  // namespace recon::exact_sums
