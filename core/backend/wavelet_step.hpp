#pragma once

#include "core/base/types.hpp"

namespace recon {

enum class WaveletDirection { analysis, synthesis };

/// One orthonormal wavelet filtering along one axis of images, within the box of the first `box` voxels of each axis;
/// outside it nothing changes. With Daubechies' filter of four taps h (two vanishing moments) [Daubechies 1988], and m
/// the extent of the box along the axis, m' = m or m - 1 the even part of it, periodic in m':
///
///     low[i] = sum_k h[k] x[(2 i + k) mod m'],     high[i] = sum_k (-1)^k h[3 - k] x[(2 i + k) mod m'],   i < m' / 2
///
/// An odd extent leaves its last voxel as it is, behind the low part: orthonormal as well. The output is
/// [low, last voxel if odd, high], so that the low part of ceil(m / 2) voxels is the next level's box.
struct WaveletStep {
    int axis = 0;
    PerAxis<Index> box{};
    /// x is read at (n + shift) mod m, 0 <= shift < m: the image moves beneath the transform, periodically.
    Index shift = 0;
    WaveletDirection direction = WaveletDirection::analysis;  ///< synthesis: the inverse, which is the adjoint
};

/// What a filtering computes at place n of the box along its axis: a sum of up to four voxels' values.
template <class T>
struct WaveletStencil {
    Index voxel[4];  ///< places along the axis that are read
    T tap[4];
    int count;
};

/// The same on every backend. @param n  0 <= n < m, m the extent of the box along the axis
template <class T>
constexpr WaveletStencil<T> wavelet_stencil(Index n, Index m, Index shift, WaveletDirection direction) {
    // (1 + sqrt 3, 3 + sqrt 3, 3 - sqrt 3, 1 - sqrt 3) / (4 sqrt 2)
    constexpr double h[4] = {0.48296291314453414, 0.83651630373780790, 0.22414386804201338, -0.12940952255126038};
    const Index even = m - m % 2;
    const Index half = even / 2;
    const Index first_high = m - half;
    WaveletStencil<T> stencil{};
    if (direction == WaveletDirection::analysis) {
        if (n == half && m % 2 == 1) {
            stencil.count = 1;
            stencil.voxel[0] = (even + shift) % m;
            stencil.tap[0] = T(1);
            return stencil;
        }
        stencil.count = 4;
        const Index i = n < half ? n : n - first_high;
        for (int k = 0; k < 4; ++k) {
            stencil.voxel[k] = ((2 * i + k) % even + shift) % m;
            stencil.tap[k] = T(n < half ? h[k] : k % 2 == 0 ? h[3 - k] : -h[3 - k]);
        }
        return stencil;
    }
    const Index t = (n - shift + m) % m;
    if (t == even) {  // of an odd extent alone
        stencil.count = 1;
        stencil.voxel[0] = half;
        stencil.tap[0] = T(1);
        return stencil;
    }
    stencil.count = 4;
    for (int pair = 0; pair < 2; ++pair) {
        const int k = static_cast<int>(t % 2) + 2 * pair;
        const Index i = (t / 2 - pair + half) % half;
        stencil.voxel[2 * pair] = i;
        stencil.tap[2 * pair] = T(h[k]);
        stencil.voxel[2 * pair + 1] = first_high + i;
        stencil.tap[2 * pair + 1] = T(k % 2 == 0 ? h[3 - k] : -h[3 - k]);
    }
    return stencil;
}

}  // namespace recon
