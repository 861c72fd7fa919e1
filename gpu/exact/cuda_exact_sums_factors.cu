// The factors of separable exact sums, and the way back to an image. (The CPU's are in
// core/backend/cpu/cpu_exact_sums.cpp.)
#include "gpu/device/cuda_check.cuh"
#include "gpu/exact/cuda_exact_sums_kernels.cuh"
#include "gpu/exact/cuda_exact_sums_octant.cuh"

namespace recon::exact_sums {
namespace {

constexpr int threads = 256;

unsigned blocks(Index count) { return static_cast<unsigned>((count + threads - 1) / threads); }

__global__ void find_peaks_kernel(const Complex* values, Index count, float* peaks) {
    const Complex* mine = values + blockIdx.y * count;
    float peak = 0;
    for (Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x; i < count; i += Index{gridDim.x} * blockDim.x) {
        peak = fmaxf(peak, fmaxf(fabsf(mine[i].re), fabsf(mine[i].im)));
    }
    for (int lane = 16; lane > 0; lane /= 2) {
        peak = fmaxf(peak, __shfl_xor_sync(0xFFFFFFFFU, peak, lane));
    }
    if (threadIdx.x % 32 == 0) {
        // Floats that are not negative are ordered as their bits are; the largest is the same in any order.
        atomicMax(reinterpret_cast<int*>(peaks + blockIdx.y), __float_as_int(peak));
    }
}

__global__ void fold_samples_kernel(Positions positions, Fold fold, const Complex* samples, int batch,
                                    const float* peaks, Chunk chunk, float* parts) {
    const int i = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
    if (i >= chunk.count) {
        return;
    }
    const Index m = chunk.first + i;
    float sine = 0;
    float cosine = 0;
    sincospif(static_cast<float>(2 * fold.turns(positions, m)), &sine, &cosine);
    for (int b = 0; b < batch; ++b) {
        const Complex d = scale_for(peaks[b]) * samples[b * positions.count + m];
        const Complex folded = d * Complex{cosine, sine};
        parts[Index{2 * b} * chunk.count + i] = folded.re;
        parts[Index{2 * b + 1} * chunk.count + i] = folded.im;
    }
}

/// One thread a (sample, z): all parts share the factor. Thread x is the sample within its group, y the z.
__global__ void make_row_factors_kernel(Positions positions, Tiling tiling, const float* parts, Chunk chunk, float* w) {
    const int lane = static_cast<int>(threadIdx.x);
    const int group = static_cast<int>(blockIdx.x);
    const int z = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int i = group * Tiling::group + lane;
    const HalfAxis axis = tiling.axis[2];
    float* row = w + Index{group} * tiling.u_padded * Tiling::group + lane;
    if (z < axis.extent) {
        const float factor = i < chunk.count ? axis.factor(positions.k[2][chunk.first + i], z) : 0.0F;
        for (int part = 0; part < tiling.parts; ++part) {
            const float sample = i < chunk.count ? parts[Index{part} * chunk.count + i] : 0.0F;
            row[(part * axis.extent + z) * Tiling::group] = sample * factor;
        }
    }
    // Rows beyond the last are zero, not garbage: they meet the tensor cores too.
    const int padding = tiling.u_padded - tiling.u_count();
    if (z < padding) {
        row[(tiling.u_count() + z) * Tiling::group] = 0;
    }
}

__global__ void make_y_factors_kernel(Positions positions, Tiling tiling, Chunk chunk, float* v) {
    const int lane = static_cast<int>(threadIdx.x);
    const int group = static_cast<int>(blockIdx.x);
    const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
    const int i = group * Tiling::group + lane;
    if (y >= tiling.y_padded) {
        return;
    }
    const bool inside = y < tiling.axis[1].extent && i < chunk.count;
    v[(Index{group} * tiling.y_padded + y) * Tiling::group + lane] =
        inside ? tiling.axis[1].factor(positions.k[1][chunk.first + i], y) : 0.0F;
}

/// One thread a (column, half of a group): eight samples, 16 bytes of high and of low halves.
__global__ void make_column_factors_kernel(Positions positions, Tiling tiling, Chunk chunk, int groups, __half* b) {
    const int column = static_cast<int>(threadIdx.x);
    const int half = static_cast<int>(threadIdx.y);
    const int group = static_cast<int>(blockIdx.x);
    const int tile = static_cast<int>(blockIdx.y);
    const int columns = tiling.column_tile;
    const int x = tile * columns + column;
    __half* high = b + (Index{tile} * groups + group) * packed_group(columns) + (half * columns + column) * 8;
    __half* low = high + packed_half(columns);
    for (int p = 0; p < 8; ++p) {
        const int i = group * Tiling::group + sample_at(8 * half + p);
        const bool inside = x < tiling.axis[0].extent && i < chunk.count;
        split(inside ? tiling.axis[0].factor(positions.k[0][chunk.first + i], x) : 0.0F, high[p], low[p]);
    }
}

__global__ void unfold_sums_kernel(Tiling tiling, const float* sums, int slices, const float* peaks, Complex* image) {
    unfold_octant(
        tiling, sums, slices, [=](int batch) { return 1 / scale_for(peaks[batch]); }, image);
}

}  // namespace

void find_peaks(const Complex* values, Index count, int batch, float* peaks, cudaStream_t stream) {
    const Index most = 512;
    const Index wanted = (count + threads - 1) / threads;
    const dim3 grid(static_cast<unsigned>(wanted < most ? wanted : most), static_cast<unsigned>(batch));
    find_peaks_kernel<<<grid, threads, 0, stream>>>(values, count, peaks);
    check_launch();
}

void fold_samples(const Positions& positions, const Fold& fold, const Complex* samples, int batch, const float* peaks,
                  Chunk chunk, float* parts, cudaStream_t stream) {
    fold_samples_kernel<<<blocks(chunk.count), threads, 0, stream>>>(positions, fold, samples, batch, peaks, chunk,
                                                                     parts);
    check_launch();
}

void make_row_factors(const Positions& positions, const Tiling& tiling, const float* parts, Chunk chunk, float* w,
                      cudaStream_t stream) {
    const dim3 block(Tiling::group, threads / Tiling::group);
    const int padding = tiling.u_padded - tiling.u_count();
    const int rows = tiling.axis[2].extent > padding ? tiling.axis[2].extent : padding;
    const dim3 grid(static_cast<unsigned>(chunk.groups()), (static_cast<unsigned>(rows) + block.y - 1) / block.y);
    make_row_factors_kernel<<<grid, block, 0, stream>>>(positions, tiling, parts, chunk, w);
    check_launch();
}

void make_y_factors(const Positions& positions, const Tiling& tiling, Chunk chunk, float* v, cudaStream_t stream) {
    const dim3 block(Tiling::group, threads / Tiling::group);
    const dim3 grid(static_cast<unsigned>(chunk.groups()),
                    (static_cast<unsigned>(tiling.y_padded) + block.y - 1) / block.y);
    make_y_factors_kernel<<<grid, block, 0, stream>>>(positions, tiling, chunk, v);
    check_launch();
}

void make_column_factors(const Positions& positions, const Tiling& tiling, Chunk chunk, __half* b,
                         cudaStream_t stream) {
    const dim3 block(static_cast<unsigned>(tiling.column_tile), 2);
    const dim3 grid(static_cast<unsigned>(chunk.groups()), static_cast<unsigned>(tiling.column_tiles()));
    make_column_factors_kernel<<<grid, block, 0, stream>>>(positions, tiling, chunk, chunk.groups(), b);
    check_launch();
}

void unfold_sums(const Tiling& tiling, const float* sums, int slices, const float* peaks, Complex* image,
                 cudaStream_t stream) {
    constexpr unsigned octant_threads = 64;
    unfold_sums_kernel<<<octant_grid(tiling.axis, tiling.parts / 2, octant_threads), octant_threads, 0, stream>>>(
        tiling, sums, slices, peaks, image);
    check_launch();
}

}  // namespace recon::exact_sums
