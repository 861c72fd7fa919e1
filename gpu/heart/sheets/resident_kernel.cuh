#pragma once

#include "gpu/heart/sheets/tile.cuh"

namespace recon {

/// What the blocks of a resident sheet share.
template <class T>
struct ResidentSheet {
    T* excitation;  ///< read at the begin, written at the end
    T* recovery;
    T* rim_excitation[2];  ///< what tiles show each other, by odd and even exchanges
    T* rim_recovery[2];
    unsigned* exchanges;  ///< [tile], how many exchanges it has written
    Index pitch;
    int size, columns, rows;  ///< tiles beside and above each other
    int halo;
};

__device__ inline void publish(unsigned* number, unsigned value) {
    asm volatile("st.release.gpu.global.u32 [%0], %1;" ::"l"(number), "r"(value) : "memory");
}
__device__ inline unsigned read_published(const unsigned* number) {
    unsigned value;
    asm volatile("ld.acquire.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(number) : "memory");
    return value;
}

/// Shows the cells near the tile's rim to its neighbours, waits for theirs and takes them for its halo.
///
/// Two copies are enough: a tile writes exchange k + 2 over exchange k only after its neighbours have published
/// exchange k + 1, which they do after having read exchange k.
template <class T, class Shape>
__device__ void exchange(Tile<T, Shape>& tile, const ResidentSheet<T>& sheet, int tile_column, int tile_row,
                         unsigned number) {
    T* const rim_excitation = number % 2 == 0 ? sheet.rim_excitation[0] : sheet.rim_excitation[1];
    T* const rim_recovery = number % 2 == 0 ? sheet.rim_recovery[0] : sheet.rim_recovery[1];
    tile.for_each(sheet.pitch, [&](int row, int column, Index cell, int place, T& r, bool is_own) {
        const bool is_rim = row < tile.y.begin + sheet.halo || row >= tile.y.end - sheet.halo ||
                            column < tile.x.begin + sheet.halo || column >= tile.x.end - sheet.halo;
        if (is_own && is_rim) {
            __stcg(rim_excitation + cell, tile.now[place]);
            __stcg(rim_recovery + cell, r);
        }
    });
    __threadfence();
    __syncthreads();
    const int thread = static_cast<int>(threadIdx.y * blockDim.x + threadIdx.x);
    if (thread == 0) {
        publish(sheet.exchanges + tile_row * sheet.columns + tile_column, number);
    }
    if (thread < 9 && thread != 4) {
        const int column = tile_column + thread % 3 - 1, row = tile_row + thread / 3 - 1;
        if (column >= 0 && column < sheet.columns && row >= 0 && row < sheet.rows) {
            // Numbers may wrap around after 2^32 exchanges; differences do not.
            const unsigned* const theirs = sheet.exchanges + row * sheet.columns + column;
            while (static_cast<int>(read_published(theirs) - number) < 0) {
            }
        }
    }
    __syncthreads();
    tile.for_each(sheet.pitch, [&](int, int, Index cell, int place, T& r, bool is_own) {
        if (!is_own) {
            tile.now[place] = __ldcg(rim_excitation + cell);  // past the first cache, which may hold older ones
            r = __ldcg(rim_recovery + cell);
        }
    });
    __syncthreads();
}

/// All steps at once; all blocks run at the same time (a cooperative launch).
/// @param exchange_number  of the first exchange, one more than that of the last of the launch before
template <class T, class Shape, Division division>
__global__ void __launch_bounds__(Shape::threads, 1)
    resident_kernel(ExcitationRates<T> m, ResidentSheet<T> sheet, Index steps, unsigned exchange_number) {
    extern __shared__ __align__(16) unsigned char shared[];
    const int tile_column = static_cast<int>(blockIdx.x) % sheet.columns;
    const int tile_row = static_cast<int>(blockIdx.x) / sheet.columns;
    Tile<T, Shape> tile(TileSpan::of(tile_column, sheet.columns, sheet.size, sheet.halo),
                        TileSpan::of(tile_row, sheet.rows, sheet.size, sheet.halo), shared);
    tile.for_each(sheet.pitch, [&](int, int, Index cell, int place, T& r, bool) {
        tile.now[place] = sheet.excitation[cell];
        r = sheet.recovery[cell];
    });
    __syncthreads();
    for (Index done = 0; done < steps;) {
        const Index left = steps - done;
        const int now = static_cast<int>(left < sheet.halo ? left : sheet.halo);
        for (int step = 0; step < now; ++step) {
            tile.template step<division>(m);
        }
        done += now;
        if (done < steps) {
            exchange(tile, sheet, tile_column, tile_row, exchange_number++);
        }
    }
    // Only when its neighbours have shown that they are done with the sheet of the begin may a tile overwrite it.
    exchange(tile, sheet, tile_column, tile_row, exchange_number);
    tile.for_each(sheet.pitch, [&](int, int, Index cell, int place, T& r, bool is_own) {
        if (is_own) {
            sheet.excitation[cell] = tile.now[place];
            sheet.recovery[cell] = r;
        }
    });
}

}  // namespace recon
