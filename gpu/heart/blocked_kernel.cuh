#pragma once

#include "gpu/heart/tile.cuh"

namespace recon {

/// Two sheets' worth of memory: what is read, and what is written.
template <class T>
struct SheetPass {
    const T* excitation;
    const T* recovery;
    T* next_excitation;
    T* next_recovery;
    Index pitch;
    int size;
};

/// `steps` steps, at most `halo`, for one pass over memory.
template <class T, class Shape, Division division>
__global__ void __launch_bounds__(Shape::threads, 2)
    blocked_kernel(ExcitationRates<T> m, SheetPass<T> pass, int halo, int steps) {
    extern __shared__ __align__(16) unsigned char shared[];
    Tile<T, Shape> tile(TileSpan::of(blockIdx.x, gridDim.x, pass.size, halo),
                        TileSpan::of(blockIdx.y, gridDim.y, pass.size, halo), shared);
    tile.for_each(pass.pitch, [&](int, int, Index cell, int place, T& r, bool) {
        tile.now[place] = pass.excitation[cell];
        r = pass.recovery[cell];
    });
    __syncthreads();
    for (int step = 0; step < steps; ++step) {
        tile.template step<division>(m);
    }
    tile.for_each(pass.pitch, [&](int, int, Index cell, int place, T& r, bool is_own) {
        if (is_own) {
            pass.next_excitation[cell] = tile.now[place];
            pass.next_recovery[cell] = r;
        }
    });
}

}  // namespace recon
