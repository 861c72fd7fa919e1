#pragma once

#include <cuda_runtime.h>

#include "gpu/device/device_complex.cuh"
#include "gpu/exact/cuda_exact_sums_layout.cuh"

namespace recon::exact_sums {

using Complex = DeviceComplex<float>;

/// Sample positions on the device, one array a component, in cycles per field of view.
struct Positions {
    const double* k[3];
    Index count;
};

/// A run of samples, and its length padded to whole matrix steps (32 samples).
struct Chunk {
    Index first;
    int count;
    int groups() const { return 2 * ((count + 31) / 32); }
};

/// Phase, in turns, between the origin of a grid and the point its factors refer to: sum_axis k_axis offset_axis.
struct Fold {
    double offset[3];

    /// In [-3/2, 3/2]: each axis is reduced by itself, before anything is rounded away.
    __device__ double turns(const Positions& positions, Index m) const {
        double turns = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const double part = positions.k[axis][m] * offset[axis];
            turns += part - rint(part);
        }
        return turns - rint(turns);
    }
};

/// Power of two that brings numbers of at most `peak` below 2^14: products with factors of at most 1 then fit fp16, and
/// numbers 2^17 times smaller than the peak still have all 22 bits of the two halves. 1 where there is no finite peak.
__device__ inline float scale_for(float peak) {
    if (!(peak > 0) || isinf(peak)) {
        return 1;
    }
    return ldexpf(1.0F, min(13 - ilogbf(peak), 126));
}

// cuda_exact_sums_factors.cu

/// Bits of the largest |component| of each image of a batch, as floats; `peaks` must be zero.
void find_peaks(const Complex* values, Index count, int batch, float* peaks, cudaStream_t stream);
/// parts[2 b + part][m] = samples[b][m] exp(i 2 pi fold) scaled by a power of two that brings the peak near 2^14.
void fold_samples(const Positions& positions, const Fold& fold, const Complex* samples, int batch, const float* peaks,
                  Chunk chunk, float* parts, cudaStream_t stream);
/// W of Tiling: [group][u][16].
void make_row_factors(const Positions& positions, const Tiling& tiling, const float* parts, Chunk chunk, float* w,
                      cudaStream_t stream);
/// V of Tiling: [group][y][16].
void make_y_factors(const Positions& positions, const Tiling& tiling, Chunk chunk, float* v, cudaStream_t stream);
/// B of Tiling: [column tile][group][packed_group].
void make_column_factors(const Positions& positions, const Tiling& tiling, Chunk chunk, __half* b, cudaStream_t stream);
/// Image from the real sums of `slices` pieces: mirrored voxels from cosine and sine, scale undone.
void unfold_sums(const Tiling& tiling, const float* sums, int slices, const float* peaks, Complex* image,
                 cudaStream_t stream);

// cuda_exact_sums_tensor.cu, cuda_exact_sums_hopper.cu

/// sums[slice][u][y][x] = (or +=) sum over the slice's samples of W V B. The tensor cores' accumulators are added into
/// fp32 sums of full precision every `promotion` steps of 32 samples.
struct TensorSums {
    Tiling tiling;
    const float* w;
    const float* v;
    const __half* b;
    float* sums;
    int groups;
    int slices;
    int promotion;
    bool accumulate;
};

/// What a block of theirs does: its rows, columns and samples.
template <int y_tile, int groups_per_step>
struct BlockShare {
    int u;
    int y;
    int tile;
    int slice;
    int first_step;
    int steps;

    __device__ explicit BlockShare(const TensorSums& work)
        : u(static_cast<int>(blockIdx.x) * Tiling::u_tile),
          y(static_cast<int>(blockIdx.y) * y_tile),
          tile(static_cast<int>(blockIdx.z) % work.tiling.column_tiles()),
          slice(static_cast<int>(blockIdx.z) / work.tiling.column_tiles()) {
        const Index all = work.groups / groups_per_step;
        first_step = static_cast<int>(all * slice / work.slices);
        steps = static_cast<int>(all * (slice + 1) / work.slices) - first_step;
    }
};

void tensor_adjoint(const TensorSums& work, cudaStream_t stream);
void hopper_adjoint(const TensorSums& work, cudaStream_t stream);

// cuda_exact_sums_forward.cu

/// The forward sums as matrix products, b the coefficients of the real factors:
///
///     sample[m] = sum_(z,y) Z[m][z] Y[m][y] sum_x X[m][x] b[part][z][y][x]
///
/// A tile of 128 columns holds z_tile z and 128 / z_tile y.
struct ForwardTiling {
    static constexpr int tile_columns = 128;

    int parts = 0;
    HalfAxis axis[3];
    int x_groups = 0;  ///< of 16 x
    int y_tiles = 0;
    int z_tiles = 0;
    int z_tile = 1;  ///< 1, 2, 4, 8 or 16

    __host__ __device__ int y_tile() const { return tile_columns / z_tile; }
    __host__ __device__ int y_padded() const { return y_tiles * y_tile(); }
    __host__ __device__ int z_padded() const { return z_tiles * z_tile; }
    __host__ __device__ int tiles_per_part() const { return y_tiles * z_tiles; }
    Index packed_size() const { return Index{parts} * tiles_per_part() * x_groups * packed_group(tile_columns); }
};

struct ForwardSums {
    ForwardTiling tiling;
    const __half* a;         ///< X of the samples, [tile of 128][x group][packed_group]
    const __half* b;         ///< [part][z tile][y tile][x group][packed_group]
    const float* y_factors;  ///< [padded][y]
    const float* z_factors;  ///< [z][padded]
    float* partial;          ///< [2 slices][part][padded]
    Index padded;            ///< samples, padded to whole tiles
    int slices;
};

void fold_image(const ForwardTiling& tiling, const Complex* image, const float* peaks, __half* b, cudaStream_t stream);
void make_forward_factors(const Positions& positions, const ForwardTiling& tiling, Chunk chunk, Index padded, __half* a,
                          float* y_factors, float* z_factors, cudaStream_t stream);
/// @param shared_limit bytes of shared memory that one block can have
void tensor_forward(const ForwardSums& work, std::size_t shared_limit, cudaStream_t stream);
void unfold_samples(const Positions& positions, const Fold& fold, const ForwardSums& work, Chunk chunk,
                    const float* peaks, Complex* samples, cudaStream_t stream);

// cuda_exact_sums_special.cu

/// Sums whose every phase comes from the special-function units: any shape, any batch.
struct SpecialSums {
    Positions positions;
    int extent[3];
    int origin[3];
    double spacing[3];

    Index voxel_count() const { return Index{extent[0]} * extent[1] * extent[2]; }
};
/// @param partial room for slices x batch x results, or null where slices is 1
void special_adjoint(const SpecialSums& work, const Complex* samples, int batch, Complex* image, int slices,
                     Complex* partial, cudaStream_t stream);
void special_forward(const SpecialSums& work, const Complex* image, int batch, Complex* samples, int slices,
                     Complex* partial, cudaStream_t stream);
/// Blocks that one slice of so many results makes.
Index special_blocks(Index result_count);

}  // namespace recon::exact_sums
