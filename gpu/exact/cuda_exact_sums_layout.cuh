#pragma once

#include <cuda_fp16.h>

#include <cstdint>

#include "core/base/types.hpp"

namespace recon::exact_sums {

/// How an axis of a voxel grid is cut into real factors.
///
/// About its centre c = (extent - 1) / 2 an axis is symmetric, so exp(i 2 pi k (i - c) spacing) over all i needs one
/// cosine for every mirrored pair of voxels and one sine: `extent` real numbers, the cosines first. Half-integer
/// distances where the extent is even; where it is odd the centre voxel has a cosine and no sine.
///
///     exp(i 2 pi k (i - c) spacing) = C_p +- i S_p,   C_p = factor(p),   S_p = factor(sine_of(p))
struct HalfAxis {
    int extent = 1;
    double spacing = 1;

    __host__ __device__ int cosine_count() const { return (extent + 1) / 2; }
    __host__ __device__ bool odd() const { return extent % 2 != 0; }
    /// Position of the sine that belongs to cosine p; below cosine_count() where there is none (centre voxel).
    __host__ __device__ int sine_of(int p) const { return cosine_count() + p - (odd() ? 1 : 0); }
    /// Voxels mirrored onto each other: centre +- (p + 1/2), or +- p where the extent is odd.
    __host__ __device__ int upper(int p) const { return extent / 2 + p; }
    __host__ __device__ int lower(int p) const { return cosine_count() - 1 - p; }

    /// Phase of factor e for a sample at k, in turns within [-1/2, 1/2]: the product is reduced before it is rounded.
    __device__ double turns(double k, int e) const {
        const int p = is_sine(e) ? e - cosine_count() + (odd() ? 1 : 0) : e;
        const double r = spacing * (odd() ? p : p + 0.5);
        return fma(k, r, -rint(k * r));
    }
    /// Real factor e of the axis.
    __device__ float factor(double k, int e) const {
        const auto half_turns = static_cast<float>(2 * turns(k, e));
        return is_sine(e) ? sinpif(half_turns) : cospif(half_turns);
    }
    __device__ double factor_double(double k, int e) const {
        return is_sine(e) ? sinpi(2 * turns(k, e)) : cospi(2 * turns(k, e));
    }
    __device__ bool is_sine(int e) const { return e >= cosine_count(); }
};

/// The sums as a product of real matrices, summed over samples m:
///
///     sums[u][y][x] = sum_m W[m][u] V[m][y] B[m][x],   u = (part of the batch, z)
///
/// "Parts" are the real and imaginary parts of every element of the batch. W holds sample times z factor, V the y
/// factor, B the x factor in two halves of fp16. All are padded with zeros to whole tiles.
struct Tiling {
    static constexpr int group = 16;  ///< samples of one matrix instruction
    static constexpr int u_tile = 8;  ///< rows of a tile in u

    int parts = 0;
    HalfAxis axis[3];
    int u_padded = 0;
    int y_padded = 0;
    int x_padded = 0;
    int column_tile = 128;  ///< x factors of a tile: 128, or 64 where that leaves fewer unused

    __host__ __device__ int u_count() const { return parts * axis[2].extent; }
    __host__ __device__ int column_tiles() const { return x_padded / column_tile; }
    __host__ __device__ std::int64_t sums_size() const { return std::int64_t{u_padded} * y_padded * x_padded; }
};

/// Which sample of a group of 16 sits at inner position p of a matrix instruction: each thread of a quad owns four
/// consecutive samples, one 16-byte load, instead of the instruction's 2q, 2q+1, 2q+8, 2q+9.
__host__ __device__ constexpr int sample_at(int p) { return 4 * ((p & 7) / 2) + (p & 1) + 2 * (p >> 3); }

/// Halves per 16 samples of a tile of so many columns, all high or all low: [k half][column / 8][8 columns][8 samples].
__host__ __device__ constexpr int packed_half(int columns) { return columns * Tiling::group; }
/// The high halves, then the low halves.
__host__ __device__ constexpr int packed_group(int columns) { return 2 * packed_half(columns); }

/// A real number as the sum of two fp16 numbers: 22 bits, given that |value| <= 32768.
__device__ inline void split(float value, __half& high, __half& low) {
    high = __float2half_rn(value);
    low = __float2half_rn(value - __half2float(high));
}

/// Two numbers at once, packed as matrix instructions want them.
__device__ inline void split(float a, float b, std::uint32_t& high, std::uint32_t& low) {
    const __half2 h = __floats2half2_rn(a, b);
    const float2 f = __half22float2(h);
    const __half2 l = __floats2half2_rn(a - f.x, b - f.y);
    high = *reinterpret_cast<const std::uint32_t*>(&h);
    low = *reinterpret_cast<const std::uint32_t*>(&l);
}

}  // namespace recon::exact_sums
