#pragma once

#include <cstdint>

#include "core/backend/tile_grid.hpp"

namespace recon {

/// How the samples of a tile are sorted where spreading and interpolating are products of matrices: three axes, single
/// precision, no kernel wider than `widest`. The samples that begin in the cells of one bin touch no point outside of a
/// window of the tile, 16 points along x and window(width) along y and z; 16 of them are one product. A tile is two
/// bins along each axis. Its buffer has the same extents whatever the grid, so that kernels know them.
struct GriddingBins {
    static constexpr int widest = 8;
    static constexpr int samples_at_once = 16;
    static constexpr int window_of_x = 16;
    static constexpr int cells_of_x = 8;   ///< even, so that pairs of points are aligned
    static constexpr int row_stride = 28;  ///< elements; so that lanes of a warp meet different banks
    static constexpr int per_tile = 8;
    /// Of the kernel: up to here its weights are polynomials of most_degree,
    /// KernelPolynomials.OfNarrowKernelsHaveFewPowers.
    static constexpr double most_oversampling = 4;

    __host__ __device__ static constexpr int most_degree(int width) { return width + 2; }
    __host__ __device__ static constexpr int window(int width) { return width <= 6 ? 8 : 12; }
    /// Of a bin, along y and z.
    __host__ __device__ static constexpr int cells(int width) { return window(width) + 1 - width; }
    /// Rows of a plane, and planes.
    __host__ __device__ static constexpr int rows(int width) { return cells(width) + window(width); }
    __host__ __device__ static constexpr int plane_stride(int width) { return rows(width) * row_stride; }
    __host__ __device__ static constexpr int tile_size(int width) { return rows(width) * plane_stride(width); }

    /// All but some small grids that cannot be divided into such tiles.
    static bool serve(const GriddingGeometry& geometry, Index sample_count);
    static TileSizes tile_sizes(const GriddingGeometry& geometry, Index sample_count);

    static constexpr int cells_along(int axis, int width) { return axis == 0 ? cells_of_x : cells(width); }
    /// The first cell of a bin in its tile: x, y, z, eight bits each.
    __host__ __device__ static constexpr std::uint32_t first_cell(int bin, int width) {
        return bin % 2 * cells_of_x | bin / 2 % 2 * cells(width) << 8 | bin / 4 * cells(width) << 16;
    }
    /// Where it lies in a tile's buffer, elements.
    __host__ __device__ static constexpr int place_of(std::uint32_t cell, int width) {
        return static_cast<int>((cell & 255) + (cell >> 8 & 255) * row_stride + (cell >> 16) * plane_stride(width));
    }
};

/// Samples of one bin, 16 at most: those from `first_sample` to that of the next group.
struct alignas(8) GriddingGroup {
    std::uint32_t first_sample;
    std::uint32_t first_cell;  ///< of the bin, as GriddingBins::first_cell
};

}  // namespace recon
