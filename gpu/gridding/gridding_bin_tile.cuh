#pragma once

#include "gpu/gridding/gridding_bins.cuh"
#include "gpu/gridding/gridding_slab.cuh"

namespace recon {

/// A tile with its halo in the shared memory of a block, and its ways from and to the grid: GriddingSlab for tiles of
/// known extents, whose rows are moved without looking for each point's place. Callers synchronise the block.
template <int width>
class GriddingBinTile {
public:
    using Complex = DeviceComplex<float>;
    static constexpr int size = GriddingBins::tile_size(width);

    __device__ GriddingBinTile(const GriddingLayout<float>& layout, const GriddingPart& part, unsigned char* memory)
        : layout_(layout), part_(part), slab_(layout, part, reinterpret_cast<Complex*>(memory)) {
        slab_.set_planes(0);
    }

    __device__ Complex* data() const { return slab_.data; }

    /// Copies the grid's points, and zeros beyond them; they are there after wait_for_grid().
    __device__ void read_grid(const Complex* grid) const {
        if (slab_.meets_itself()) {
            clear();
            __syncthreads();
            slab_.read_grid(grid);
            return;
        }
        for_each_point([&](Complex* here, Index there, bool is_there) {
            if (is_there) {
                __pipeline_memcpy_async(here, grid + there, sizeof(Complex));
            } else {
                *here = {0, 0};
            }
        });
        __pipeline_commit();
    }
    __device__ static void wait_for_grid() { GriddingSlab<float>::wait_for_grid(); }

    /// What the samples are added to: the grid itself, or nothing where the sum goes elsewhere or several turns of a
    /// narrow grid meet in one point.
    __device__ void begin_sum(const Complex* grid) const {
        if (part_.slot_count > 0 || slab_.meets_itself()) {
            clear();
        } else {
            read_grid(grid);
        }
    }

    /// @param slot  of this part, if it has one
    __device__ void end_sum(Complex* grid, Complex* slot) const {
        if (part_.slot_count > 0) {
            const auto* from = reinterpret_cast<const float4*>(data());
            for (int i = threadIdx.x; i < size / 2; i += blockDim.x) {
                reinterpret_cast<float4*>(slot)[i] = from[i];
            }
        } else if (slab_.meets_itself()) {
            slab_.add_turns(grid);
        } else {
            for_each_point([&](const Complex* here, Index there, bool is_there) {
                if (is_there) {
                    grid[there] = *here;
                }
            });
        }
    }

private:
    __device__ void clear() const {
        for (int i = threadIdx.x; i < size / 2; i += blockDim.x) {
            reinterpret_cast<float4*>(data())[i] = {0, 0, 0, 0};
        }
    }

    /// Calls function(place in the tile, in the grid, whether it is there) for all points of the tile's buffer. Warps
    /// share the planes, lanes are the points of a row.
    template <class Function>
    __device__ void for_each_point(Function&& function) const {
        constexpr int rows = GriddingBins::rows(width);
        const int* grid_size = layout_.grid_size;
        const auto turned = [&](int axis, int point) {  // the grid is not narrower than the tile
            const int place = part_.first_point[axis] + point;
            return place < grid_size[axis] ? place : place - grid_size[axis];
        };
        const int x = threadIdx.x % 32;
        if (x >= GriddingBins::row_stride) {
            return;
        }
        int in_plane[rows];
#pragma unroll
        for (int y = 0; y < rows; ++y) {
            const bool is_there = x < part_.extent[0] && y < part_.extent[1];
            in_plane[y] = is_there ? turned(1, y) * grid_size[0] + turned(0, x) : -1;
        }
        for (int z = threadIdx.x / 32; z < rows; z += blockDim.x / 32) {
            const bool has_plane = z < part_.extent[2];
            const Index plane = has_plane ? Index{turned(2, z)} * grid_size[0] * grid_size[1] : 0;
            Complex* here = data() + z * GriddingBins::plane_stride(width) + x;
#pragma unroll
            for (int y = 0; y < rows; ++y) {
                function(here + y * GriddingBins::row_stride, plane + in_plane[y], has_plane && in_plane[y] >= 0);
            }
        }
    }

    const GriddingLayout<float>& layout_;
    const GriddingPart& part_;
    GriddingSlab<float> slab_;
};

}  // namespace recon
