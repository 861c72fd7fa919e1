#pragma once

#include "gpu/gridding/gridding_bin_samples.cuh"

namespace recon {

/// The same number of four of 16 samples, those of row or column t of a matrix instruction: samples 2 t and 2 t + 1,
/// 2 t + 8 and 2 t + 9.
struct alignas(16) SplitQuad {
    __half2 high[2];
    __half2 low[2];
};

/// A product of two such numbers, each half2 of it as an operand of a matrix instruction. What the high half loses by
/// rounding is known exactly, by a fused multiply-add.
struct SplitProduct {
    std::uint32_t high;
    std::uint32_t low;

    __device__ SplitProduct(const SplitQuad& a, const SplitQuad& b, int pair) {
        const __half2 product = __hmul2_rn(a.high[pair], b.high[pair]);
        const __half2 lost = __hfma2(a.high[pair], b.high[pair], __hneg2(product));
        high = bits_of(product);
        low = bits_of(__hfma2(a.high[pair], b.low[pair], __hfma2(a.low[pair], b.high[pair], lost)));
    }
};

/// Factors of 16 samples: rows x (even ones first), y and z, and the real and imaginary parts of the samples.
template <int width>
struct SpreadFactors {
    static constexpr int window = GriddingBins::window(width);

    SplitQuad x[GriddingBins::window_of_x][4];
    SplitQuad y[window][4];
    SplitQuad z[window][4];
    SplitQuad value[2][4];

    /// Zeros, but for the samples.
    __device__ void clear() { clear_shared<(GriddingBins::window_of_x + 2 * window) * 4>(this); }

    __device__ void store(int m, const GroupPairs::Sample& sample, const GriddingLayout<float>& layout,
                          DeviceComplex<float> scaled) {
        const int first = sample.first(0);
        // Rows of even and odd points, each next to one another.
        store_axis(layout, sample.place.polynomial_t[0], place(x[first / 2 + first % 2 * 8], m),
                   place(x[(first + 1) / 2 + (first + 1) % 2 * 8], m), 1);
        __half* of_y = place(y[sample.first(1)], m);
        store_axis(layout, sample.place.polynomial_t[1], of_y, of_y + halves_of_row, 2);
        __half* of_z = place(z[sample.first(2)], m);
        store_axis(layout, sample.place.polynomial_t[2], of_z, of_z + halves_of_row, 2);
        const SplitPair pair(scaled.re, scaled.im);
        store_pair(pair, place(value[0], m), place(value[1], m));
    }

private:
    static constexpr int halves_of_row = 4 * sizeof(SplitQuad) / sizeof(__half);

    /// Of a sample in a row: the high half; the low one lies four further on.
    __device__ static __half* place(SplitQuad (&row)[4], int m) {
        return reinterpret_cast<__half*>(&row[m % 8 / 2]) + m % 2 + m / 8 * 2;
    }
    __device__ static void store_pair(const SplitPair& pair, __half* a, __half* b) {
        a[0] = __low2half(pair.high);
        a[4] = __low2half(pair.low);
        b[0] = __high2half(pair.high);
        b[4] = __high2half(pair.low);
    }
    /// @param even, odd  of points 0 and 1  @param step  rows from a point to the one after the next
    __device__ static void store_axis(const GriddingLayout<float>& layout, float t, __half* even, __half* odd,
                                      int step) {
        float weight[width];
        kernel_weights(layout, t, weight);
#pragma unroll
        for (int i = 0; i + 1 < width; i += 2) {
            store_pair(SplitPair(weight[i], weight[i + 1]), even + i / 2 * step * halves_of_row,
                       odd + i / 2 * step * halves_of_row);
        }
        if constexpr (width % 2 == 1) {
            const SplitPair last(weight[width - 1], 0);
            even[width / 2 * step * halves_of_row] = __low2half(last.high);
            even[width / 2 * step * halves_of_row + 4] = __low2half(last.low);
        }
    }
};

}  // namespace recon
