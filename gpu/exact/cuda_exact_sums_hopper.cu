// Exact sums on the tensor cores of compute capability 9.0: warp-group matrix instructions, factors by the copy engine.
#include "gpu/device/cuda_check.cuh"
#include "gpu/device/cuda_hopper_instructions.cuh"
#include "gpu/exact/cuda_exact_sums_kernels.cuh"

namespace recon::exact_sums {
namespace {

using namespace hopper;

// A block owns 256 rows (8 u x 32 y) and 128 or 64 columns. Two warp groups share the columns and own 128 rows each, as
// two tiles of 64; one thread of a third group feeds them. The rows' factor is made in registers: A = W V, split into
// halves.
constexpr int y_tile = 32;
constexpr int group_threads = 128;
constexpr int consumers = 2 * group_threads;
constexpr int block_threads = consumers + group_threads;  ///< registers are dealt to whole warp groups
constexpr int stage_count = 4;
constexpr int groups_per_step = 2;

template <int columns>
struct Stage {
    __half b[groups_per_step][packed_group(columns)];
    float v[groups_per_step][y_tile][Tiling::group];
    float w[groups_per_step][Tiling::u_tile][Tiling::group];
};

template <int columns>
struct SharedMemory {
    Stage<columns> stages[stage_count];
    float4 totals[2][columns / 4][group_threads];  ///< promoted sums, each seen by one thread only
    std::uint64_t full[stage_count];
    std::uint64_t empty[stage_count];
};

/// The part of A that one thread holds, of both tiles and one group of samples.
struct Rows {
    std::uint32_t high[2][4];
    std::uint32_t low[2][4];
};

template <int columns>
__device__ void make_rows(const Stage<columns>& stage, int i, int first_y, Rows& rows) {
    const int lane = static_cast<int>(threadIdx.x) % 32;
    const int quad = lane % 4;
    const float4 w = reinterpret_cast<const float4*>(stage.w[i][lane / 4])[quad];
#pragma unroll
    for (int row = 0; row < 4; ++row) {
        const float4 v = reinterpret_cast<const float4*>(stage.v[i][first_y + row])[quad];
        const int tile = row / 2;
        const int half = row % 2;
        split(w.x * v.x, w.y * v.y, rows.high[tile][half], rows.low[tile][half]);
        split(w.z * v.z, w.w * v.w, rows.high[tile][half + 2], rows.low[tile][half + 2]);
    }
}

template <int count>
__device__ void hold_all(float (&sums)[2][count], Rows& rows) {
    hold(sums[0]);
    hold(sums[1]);
    hold(rows.high[0]);
    hold(rows.high[1]);
    hold(rows.low[0]);
    hold(rows.low[1]);
}

/// Four of a thread's accumulators: eight columns of a tile of 64 rows, two of them in this thread, in two rows.
template <int count>
__device__ const float* quadruple(const float (&sums)[2][count], int i) {
    constexpr int per_tile = count / 4;
    return &sums[i / per_tile][i % per_tile * 4];
}

template <int columns>
__device__ void promote(float (&sums)[2][columns / 2], float4 (&totals)[columns / 4][group_threads], int thread) {
#pragma unroll
    for (int i = 0; i < columns / 4; ++i) {
        float4 total = totals[i][thread];
        const float* s = quadruple(sums, i);
        total.x += s[0];
        total.y += s[1];
        total.z += s[2];
        total.w += s[3];
        totals[i][thread] = total;
    }
}

using Share = BlockShare<y_tile, groups_per_step>;

template <int columns>
__device__ void feed(SharedMemory<columns>& shared, const TensorSums& work, const Share& share) {
    const Tiling& tiling = work.tiling;
    for (int step = 0; step < share.steps; ++step) {
        const int slot = step % stage_count;
        Stage<columns>& stage = shared.stages[slot];
        if (step >= stage_count) {
            barrier_wait(&shared.empty[slot], (step / stage_count - 1) % 2);
        }
        barrier_expect(&shared.full[slot], sizeof(Stage<columns>));
        const Index group = Index{share.first_step + step} * groups_per_step;
        bulk_copy(stage.b, work.b + (Index{share.tile} * work.groups + group) * packed_group(columns), sizeof(stage.b),
                  &shared.full[slot]);
        for (int i = 0; i < groups_per_step; ++i) {
            bulk_copy(stage.v[i], work.v + ((group + i) * tiling.y_padded + share.y) * Tiling::group,
                      sizeof(stage.v[i]), &shared.full[slot]);
            bulk_copy(stage.w[i], work.w + ((group + i) * tiling.u_padded + share.u) * Tiling::group,
                      sizeof(stage.w[i]), &shared.full[slot]);
        }
    }
}

template <int columns>
__device__ void multiply(SharedMemory<columns>& shared, const TensorSums& work, const Share& share) {
    const int thread = static_cast<int>(threadIdx.x) % group_threads;
    const int warp_group = static_cast<int>(threadIdx.x) / group_threads;
    const int first_y = warp_group * 16 + thread / 32 * 4;
    float4(&totals)[columns / 4][group_threads] = shared.totals[warp_group];
#pragma unroll
    for (int i = 0; i < columns / 4; ++i) {
        totals[i][thread] = {0, 0, 0, 0};
    }

    constexpr std::uint32_t block_bytes = 128;  // 8 columns x 16 bytes
    constexpr std::uint32_t half_bytes = columns / 8 * block_bytes;
    float sums[2][columns / 2];
    Rows rows[groups_per_step];
    for (int step = 0; step < share.steps; ++step) {
        const int slot = step % stage_count;
        barrier_wait(&shared.full[slot], step / stage_count % 2);
        const Stage<columns>& stage = shared.stages[slot];
        int accumulate = step % work.promotion != 0;
#pragma unroll
        for (int i = 0; i < groups_per_step; ++i) {
            make_rows(stage, i, first_y, rows[i]);  // while the instructions of the group before are running
            if (step > 0 || i > 0) {
                matrix_wait();
                hold_all(sums, rows[1 - i]);
            }
            if (i == 0 && step > 0) {
                barrier_arrive(&shared.empty[(step - 1) % stage_count]);
                if (!accumulate) {
                    promote<columns>(sums, totals, thread);
                }
            }
            const std::uint64_t high = operand_descriptor(shared_address(stage.b[i]), half_bytes, block_bytes);
            const std::uint64_t low =
                operand_descriptor(shared_address(stage.b[i] + packed_half(columns)), half_bytes, block_bytes);
            hold_all(sums, rows[i]);
            matrix_fence();
#pragma unroll
            for (int t = 0; t < 2; ++t) {
                multiply_64_16(sums[t], rows[i].low[t], high, accumulate);
                multiply_64_16(sums[t], rows[i].high[t], low, 1);
                multiply_64_16(sums[t], rows[i].high[t], high, 1);
            }
            matrix_commit();
            accumulate = 1;
        }
    }
    matrix_wait();
    hold_all(sums, rows[1]);

    const Tiling& tiling = work.tiling;
    const int lane = thread % 32;
    float* out = work.sums + share.slice * tiling.sums_size() + share.tile * columns + lane % 4 * 2;
#pragma unroll
    for (int i = 0; i < columns / 4; ++i) {
        const float4 total = totals[i][thread];
        const float* s = quadruple(sums, i);
        constexpr int per_tile = columns / 8;
        const Index row = Index{share.u + lane / 4} * tiling.y_padded + share.y + first_y + i / per_tile * 2;
        auto* upper = reinterpret_cast<float2*>(out + row * tiling.x_padded + i % per_tile * 8);
        auto* lower = reinterpret_cast<float2*>(out + (row + 1) * tiling.x_padded + i % per_tile * 8);
        float2 a = {total.x + s[0], total.y + s[1]};
        float2 b = {total.z + s[2], total.w + s[3]};
        if (work.accumulate) {
            a = {a.x + upper->x, a.y + upper->y};
            b = {b.x + lower->x, b.y + lower->y};
        }
        *upper = a;
        *lower = b;
    }
}

template <int columns>
__global__ void __launch_bounds__(block_threads, 1) hopper_adjoint_kernel(const __grid_constant__ TensorSums work) {
    extern __shared__ __align__(128) unsigned char memory[];
    auto& shared = *reinterpret_cast<SharedMemory<columns>*>(memory);
    if (threadIdx.x == 0) {
        for (int slot = 0; slot < stage_count; ++slot) {
            barrier_init(&shared.full[slot], 1);
            barrier_init(&shared.empty[slot], consumers);
        }
        barrier_init_fence();
    }
    __syncthreads();
    const Share share(work);
    if (threadIdx.x >= consumers) {
        release_registers<24>();
        if (threadIdx.x == consumers) {
            feed(shared, work, share);
        }
    } else {
        claim_registers<240>();
        if (share.steps > 0) {  // the last run of samples may be too short for all slices: nothing to add then
            multiply(shared, work, share);
        }
    }
}

template <int columns>
void launch(const TensorSums& work, cudaStream_t stream) {
    const Tiling& tiling = work.tiling;
    const dim3 grid(static_cast<unsigned>(tiling.u_padded / Tiling::u_tile),
                    static_cast<unsigned>(tiling.y_padded / y_tile),
                    static_cast<unsigned>(tiling.column_tiles() * work.slices));
    constexpr int bytes = sizeof(SharedMemory<columns>);
    check(cudaFuncSetAttribute(hopper_adjoint_kernel<columns>, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes));
    hopper_adjoint_kernel<columns><<<grid, block_threads, bytes, stream>>>(work);
    check_launch();
}

}  // namespace

void hopper_adjoint(const TensorSums& work, cudaStream_t stream) {
    work.tiling.column_tile == 128 ? launch<128>(work, stream) : launch<64>(work, stream);
}

}  // namespace recon::exact_sums
