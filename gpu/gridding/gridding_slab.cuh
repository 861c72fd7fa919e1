#pragma once

#include <cuda_pipeline_primitives.h>

#include "gpu/gridding/gridding_layout.cuh"

namespace recon {

__device__ inline int turned_point(int point, int size) {
    while (point >= size) {  // once at most, but for narrow grids
        point -= size;
    }
    return point;
}

/// The points of threads: first, first + step, ...
struct ThreadPoints {
    int first;
    int step;
};

/// Adds planes begin, ..., end - 1 of a tile to the grid. One thread adds up all turns of a narrow grid that meet in
/// one of its points.
/// @param value  of a place in the planes' buffer
template <class T, class Function>
__device__ void add_to_grid(const GriddingLayout<T>& layout, const GriddingPart& part, int begin, int end,
                            DeviceComplex<T>* grid, const ThreadPoints& points, Function&& value) {
    const int* size = layout.grid_size;
    const int nx = min(part.extent[0], size[0]);
    const int ny = min(part.extent[1], size[1]);
    const int nz = min(end - begin, size[2]);
    for (int i = points.first; i < nx * ny * nz; i += points.step) {
        const int first_x = i % nx;
        const int first_y = i / nx % ny;
        const int first_z = i / nx / ny;
        DeviceComplex<T> sum{0, 0};
        for (int z = first_z; z < end - begin; z += size[2]) {
            for (int y = first_y; y < part.extent[1]; y += size[1]) {
                for (int x = first_x; x < part.extent[0]; x += size[0]) {
                    sum = sum + value(z * layout.plane_stride + y * layout.row_stride + x);
                }
            }
        }
        const int grid_x = turned_point(part.first_point[0] + first_x, size[0]);
        const int grid_y = turned_point(part.first_point[1] + first_y, size[1]);
        const int grid_z = turned_point(part.first_point[2] + begin + first_z, size[2]);
        DeviceComplex<T>& to = grid[(Index{grid_z} * size[1] + grid_y) * size[0] + grid_x];
        to = to + sum;
    }
}

/// Some planes of a tile with its halo in the shared memory of a block, and their ways from and to the grid. Callers
/// synchronise the block.
template <class T>
class GriddingSlab {
public:
    using Complex = DeviceComplex<T>;

    Complex* data;
    int begin = 0;  ///< planes begin, ..., end - 1 of the tile
    int end = 0;

    __device__ GriddingSlab(const GriddingLayout<T>& layout, const GriddingPart& part, Complex* memory)
        : data(memory), layout_(layout), part_(part) {}

    __device__ void set_planes(int first) {
        begin = first;
        end = min(first + layout_.slab_planes, part_.extent[2]);
    }

    /// Copies the grid's points, and zeros behind them; they are there after wait_for_grid().
    __device__ void read_grid(const Complex* grid) const {
        for_each_point(layout_.row_stride, [&](int place, Index grid_place, int x) {
            if (x < part_.extent[0]) {
                __pipeline_memcpy_async(data + place, grid + grid_place, sizeof(Complex));
            } else {
                data[place] = {0, 0};
            }
        });
        __pipeline_commit();
    }
    __device__ static void wait_for_grid() { __pipeline_wait_prior(0); }

    /// What the samples are added to: the grid itself, or nothing where the sum goes elsewhere or several turns of a
    /// narrow grid meet in one point.
    __device__ void begin_sum(const Complex* grid) const {
        if (part_.slot_count > 0 || meets_itself()) {
            const int size = (end - begin) * layout_.plane_stride;
            for (int i = threadIdx.x; i < size; i += blockDim.x) {
                data[i] = {0, 0};
            }
        } else {
            read_grid(grid);
        }
    }

    /// @param slot  of this part, if it has one
    __device__ void end_sum(Complex* grid, Complex* slot) const {
        if (part_.slot_count > 0) {
            const int size = (end - begin) * layout_.plane_stride;
            for (int i = threadIdx.x; i < size; i += blockDim.x) {
                slot[begin * layout_.plane_stride + i] = data[i];
            }
        } else if (meets_itself()) {
            add_turns(grid);
        } else {
            for_each_point(part_.extent[0], [&](int place, Index grid_place, int) { grid[grid_place] = data[place]; });
        }
    }

    __device__ void add_turns(Complex* grid) const {
        add_to_grid(layout_, part_, begin, end, grid, {static_cast<int>(threadIdx.x), static_cast<int>(blockDim.x)},
                    [&](int place) { return data[place]; });
    }

    /// The grid is narrower than the tile.
    __device__ bool meets_itself() const {
        return part_.extent[0] > layout_.grid_size[0] || part_.extent[1] > layout_.grid_size[1] ||
               part_.extent[2] > layout_.grid_size[2];
    }

private:
    /// Calls function(place in the slab, in the grid, x) for the first nx points of all rows. Warps share the planes,
    /// or the rows of a single plane.
    template <class Function>
    __device__ void for_each_point(int nx, Function&& function) const {
        const int* size = layout_.grid_size;
        const int warp = threadIdx.x / 32;
        const int warps = blockDim.x / 32;
        const bool flat = part_.extent[2] == 1;
        const int first_y = flat ? warp : 0;
        const int step_y = flat ? warps : 1;
        const int plane_size = size[0] * size[1];
        const int grid_step = step_y % size[1] * size[0];  // less than a plane: it begins anew once at most
        for (int x = threadIdx.x % 32; x < nx; x += 32) {
            const int first_in_plane = turned_point(part_.first_point[1] + first_y, size[1]) * size[0] +
                                       turned_point(part_.first_point[0] + x, size[0]);
            for (int z = flat ? 0 : warp; z < end - begin; z += flat ? 1 : warps) {
                const Index plane = Index{turned_point(part_.first_point[2] + begin + z, size[2])} * plane_size;
                int place = z * layout_.plane_stride + first_y * layout_.row_stride + x;
                int in_plane = first_in_plane;
#pragma unroll 4
                for (int y = first_y; y < part_.extent[1]; y += step_y) {
                    function(place, plane + in_plane, x);
                    place += step_y * layout_.row_stride;
                    in_plane += grid_step;
                    in_plane -= in_plane >= plane_size ? plane_size : 0;
                }
            }
        }
    }

    const GriddingLayout<T>& layout_;
    const GriddingPart& part_;
};

}  // namespace recon
