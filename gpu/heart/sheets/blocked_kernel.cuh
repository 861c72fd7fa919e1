#pragma once

#include "gpu/heart/sheets/tile.cuh"

namespace recon {

/// Two strips' worth of memory: what is read, and what is written.
template <class T>
struct StripPass {
    const T* excitation;
    const T* recovery;
    T* next_excitation;
    T* next_recovery;
    int columns;                      ///< of the sheet; rows lie one after the other
    int first_row, end_row;           ///< those that the strip owns, counted from the first stored
    int stored_rows;                  ///< with the neighbours' halo
    int tile_row_count, halo, steps;  ///< `steps`, at most `halo`, for one pass over memory
};

template <class T, class Shape, Division division>
__global__ void __launch_bounds__(Shape::threads, 2)
    blocked_kernel(ExcitationRates<T> m, StripPass<T> pass, TileRows tile_rows) {
    extern __shared__ __align__(16) unsigned char shared[];
    const int tile_row = tile_rows.first + static_cast<int>(blockIdx.y) * tile_rows.stride;
    Tile<T, Shape> tile(
        TileSpan::of(blockIdx.x, gridDim.x, pass.columns, pass.halo),
        TileSpan::of(tile_row, pass.tile_row_count, pass.first_row, pass.end_row, pass.stored_rows, pass.halo), shared);
    tile.for_each(pass.columns, [&](int, int, Index cell, int place, T& r, bool) {
        tile.now[place] = pass.excitation[cell];
        r = pass.recovery[cell];
    });
    __syncthreads();
    for (int step = 0; step < pass.steps; ++step) {
        tile.template step<division>(m);
    }
    tile.for_each(pass.columns, [&](int, int, Index cell, int place, T& r, bool is_own) {
        if (is_own) {
            pass.next_excitation[cell] = tile.now[place];
            pass.next_recovery[cell] = r;
        }
    });
}

}  // namespace recon
