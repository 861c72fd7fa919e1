// A tile of a sheet in one block of threads: E in shared memory, before and after a step in turn, R in registers.
#pragma once

#include "core/heart/sheet_strips.hpp"
#include "gpu/heart/sheets/excitation_cell.cuh"

namespace recon {

/// A block of threads: a column of the tile each, in `segments` segments of up to `rows` rows.
template <int columns_, int segments_, int rows_>
struct TileShape {
    static constexpr int columns = columns_, segments = segments_, rows = rows_;
    static constexpr int threads = columns * segments;
    static constexpr int most_height = segments * rows;
    template <class T>
    static constexpr std::size_t shared_bytes = 2 * sizeof(T) * columns* most_height;
};

/// The same number, of which the compiler knows nothing: it would keep what follows from it for all of a thread's rows
/// in registers from step to step, and has too few.
__device__ inline int anew(int number) {
    asm volatile("" : "+r"(number));
    return number;
}

/// What a thread knows of its tile. Every step makes all cells of the tile with its halo. Those at the rim of the halo
/// lack a neighbour and go wrong, one cell deeper with every step: after as many steps as the halo is deep all of it is
/// wrong, and nothing else.
template <class T, class Shape>
struct Tile {
    TileSpan x, y;
    T* now;  ///< shared, [column row] of Shape::columns
    T* next;
    int column;  ///< of this thread, within the tile
    int first;   ///< row of this thread, within the tile
    int count;   ///< rows of this thread
    T r[Shape::rows] = {};

    __device__ Tile(TileSpan x_, TileSpan y_, unsigned char* shared)
        : x(x_),
          y(y_),
          now(reinterpret_cast<T*>(shared)),
          next(now + Shape::columns * Shape::most_height),
          column(static_cast<int>(threadIdx.x)) {
        const int height = y.extent();
        const int rows = (height + Shape::segments - 1) / Shape::segments;
        first = static_cast<int>(threadIdx.y) * rows;
        count = height - first < rows ? height - first : rows;
        count = count > 0 && column < x.extent() ? count : 0;
    }

    /// Calls `visit(row and column of the sheet, cell of the sheet, cell of the tile, R, whether the tile is
    /// responsible for it)` for all cells of this thread.
    template <class Visit>
    __device__ void for_each(Index pitch, Visit&& visit) {
        const int start = anew(first);
        const bool own_column = x.owns(x.halo_begin + column);
        const Index start_cell = (y.halo_begin + start) * pitch + x.halo_begin + column;
#pragma unroll
        for (int i = 0; i < Shape::rows; ++i) {
            if (i < count) {
                const int row = y.halo_begin + start + i;
                visit(row, x.halo_begin + column, start_cell + i * pitch, (start + i) * Shape::columns + column, r[i],
                      own_column && y.owns(row));
            }
        }
    }

    template <Division division>
    __device__ void step(const ExcitationRates<T>& m) {
        constexpr int together = 3;  // rows without a branch between them, for the scheduler to interleave
        static_assert(Shape::rows % together == 0);
        if (count > 0) {
            constexpr int down = Shape::columns;
            const int start = anew(first), height = y.extent();
            const T* const here = now + start * down + column;
            const T* const in_west = now + start * down + before(column);
            const T* const in_east = now + start * down + after(column, x.extent());
            T* const there = next + start * down + column;
            T north = start > 0 ? here[-down] : here[down];
            T centre = here[0];
#pragma unroll
            for (int i = 0; i < Shape::rows; ++i) {
                if (i % together == 0 && i >= count) {
                    break;
                }
                // Rows beyond the thread's own lie within the memory of the tile; what comes of them is not kept.
                const T south = start + i + 1 < height ? here[(i + 1) * down] : north;  // the edge mirrors the north
                const T e = diffuse(m, centre, in_west[i * down], in_east[i * down], north, south);
                const T value = react<division>(m, e, r[i]);
                if (i < count) {
                    there[i * down] = value;
                }
                north = centre;
                centre = south;
            }
        }
        __syncthreads();
        T* const other = now;
        now = next;
        next = other;
    }
};

}  // namespace recon
