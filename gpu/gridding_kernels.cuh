#pragma once

#include "core/cpu/gridding_tiles.hpp"
#include "gpu/device_complex.cuh"

namespace recon {

/// Samples of one tile for one block of threads.
struct GriddingPart {
    int first_point[3];  ///< of the tile; z slowest, 0 and extent 1 along axes that take no part
    int extent[3];       ///< of the tile with its halo
    int sample_count;
    int slot_count;  ///< buffers that hold the tile's parts; 0 if the tile is added to the grid at once
    Index first_sample;
    Index first_slot;
};

/// What every kernel of a plan knows.
template <class T>
struct GriddingLayout {
    static constexpr int chunk = 32;                ///< samples whose weights are made at a time
    static constexpr int chunk_stride = chunk + 1;  ///< so that lanes that read different points meet different banks

    using Complex = DeviceComplex<T>;
    using Sample = typename GriddingTiles<T>::Sample;

    int grid_size[3];  ///< axes of one point last
    int points[3];     ///< that a sample touches along each axis: the kernel's width, or 1
    int degree;
    int row_stride;    ///< of a tile's buffer, elements
    int plane_stride;  ///< likewise
    int slab_planes;   ///< planes of a tile that shared memory holds at a time
    Index slot_size;   ///< elements of a whole tile
    Index slot_total;
    Index sample_count;
    const T* coefficients;  ///< [power][point]
    const Sample* samples;  ///< sorted

    Index grid_elements() const __host__ __device__ { return Index{grid_size[0]} * grid_size[1] * grid_size[2]; }
    int coefficient_count() const __host__ __device__ { return (degree + 1) * points[0]; }
    int weight_count() const __host__ __device__ { return 3 * points[0] * chunk_stride; }
    std::size_t shared_bytes() const {
        return (Index{slab_planes} * plane_stride + chunk) * sizeof(Complex) +
               (coefficient_count() + weight_count()) * sizeof(T) + 2 * chunk * sizeof(int);
    }
};

/// A block's shared memory, and the work on it that spreading and interpolation have in common.
template <class T>
class GriddingBlock {
public:
    using Layout = GriddingLayout<T>;
    using Complex = DeviceComplex<T>;
    static constexpr int chunk = Layout::chunk;

    Complex* slab;    ///< planes slab_begin, ..., slab_end - 1 of the tile
    Complex* values;  ///< of the samples of the chunk
    T* weights;       ///< [axis][point][sample]
    int* base;        ///< of each sample: its first point within a plane
    int* first_plane;
    int slab_begin = 0;
    int slab_end = 0;

    __device__ GriddingBlock(const Layout& layout, const GriddingPart& part, unsigned char* memory)
        : layout_(layout), part_(part) {
        slab = reinterpret_cast<Complex*>(memory);
        values = slab + layout.slab_planes * layout.plane_stride;
        weights = reinterpret_cast<T*>(values + chunk);
        coefficients_ = weights + layout.weight_count();
        base = reinterpret_cast<int*>(coefficients_ + layout.coefficient_count());
        first_plane = base + chunk;
        for (int i = threadIdx.x; i < layout.coefficient_count(); i += blockDim.x) {
            coefficients_[i] = layout.coefficients[i];
        }
    }

    __device__ void begin_slab(int first) {
        slab_begin = first;
        slab_end = min(first + layout_.slab_planes, part_.extent[2]);
    }

    /// Places and weights of samples done, ..., done + count - 1 of the part: sum_p coefficient[p] t^p.
    __device__ void make_weights(int done, int count) {
        const int lane = threadIdx.x % 32;
        const int warp = threadIdx.x / 32;
        const int warps = blockDim.x / 32;
        if (lane >= count) {
            return;
        }
        const auto& sample = layout_.samples[part_.first_sample + done + lane];
        if (warp == 0) {
            const int plane = sample.local_offset / layout_.plane_stride;
            first_plane[lane] = plane;
            base[lane] = sample.local_offset - plane * layout_.plane_stride;
        }
        const int width = layout_.points[0];
        const T t[3]{sample.polynomial_t[0], sample.polynomial_t[1], sample.polynomial_t[2]};
        for (int point = warp; point < width; point += warps) {
            T sum[3]{0, 0, 0};
            for (int power = layout_.degree; power >= 0; --power) {
                const T c = coefficients_[power * width + point];
                for (int axis = 0; axis < 3; ++axis) {
                    sum[axis] = sum[axis] * t[axis] + c;
                }
            }
            for (int axis = 0; axis < 3; ++axis) {
                weight(axis, point, lane) = layout_.points[axis] > 1 ? sum[axis] : T{1};
            }
        }
    }

    __device__ T& weight(int axis, int point, int sample) {
        return weights[(axis * layout_.points[0] + point) * Layout::chunk_stride + sample];
    }

    /// Calls function(row of the tile within the slab, grid offset of that row) for rows of the slab, a warp each.
    /// `rows` and `planes` count those that the warps share.
    template <class Function>
    __device__ void for_each_row(int rows, int planes, Function&& function) const {
        const int warps = blockDim.x / 32;
        int y = threadIdx.x / 32;
        int z = 0;
        for (;;) {
            while (y >= rows) {
                y -= rows;
                ++z;
            }
            if (z >= planes) {
                return;
            }
            const int grid_y = (part_.first_point[1] + y) % layout_.grid_size[1];
            const int grid_z = (part_.first_point[2] + slab_begin + z) % layout_.grid_size[2];
            function(y, z, (Index{grid_z} * layout_.grid_size[1] + grid_y) * layout_.grid_size[0]);
            y += warps;
        }
    }

    __device__ void clear() const {
        const int size = (slab_end - slab_begin) * layout_.plane_stride;
        for (int i = threadIdx.x; i < size; i += blockDim.x) {
            slab[i] = {0, 0};
        }
    }

    __device__ void read_grid(const Complex* grid) const {
        for_each_row(part_.extent[1], slab_end - slab_begin, [&](int y, int z, Index row) {
            Complex* to = slab + z * layout_.plane_stride + y * layout_.row_stride;
            for (int x = threadIdx.x % 32; x < part_.extent[0]; x += 32) {
                to[x] = load_constant(grid + row + (part_.first_point[0] + x) % layout_.grid_size[0]);
            }
        });
    }

    /// A grid narrower than the tile is met several times: one thread adds up all of them.
    __device__ void add_to_grid(Complex* grid) const {
        const int planes = slab_end - slab_begin;
        const int* size = layout_.grid_size;
        for_each_row(min(part_.extent[1], size[1]), min(planes, size[2]), [&](int y, int z, Index row) {
            for (int x = threadIdx.x % 32; x < min(part_.extent[0], size[0]); x += 32) {
                Complex sum{0, 0};
                for (int zz = z; zz < planes; zz += size[2]) {
                    for (int yy = y; yy < part_.extent[1]; yy += size[1]) {
                        for (int xx = x; xx < part_.extent[0]; xx += size[0]) {
                            sum = sum + slab[zz * layout_.plane_stride + yy * layout_.row_stride + xx];
                        }
                    }
                }
                Complex& point = grid[row + (part_.first_point[0] + x) % size[0]];
                point = point + sum;
            }
        });
    }

    __device__ void write_slot(Complex* slot) const {
        const int size = (slab_end - slab_begin) * layout_.plane_stride;
        for (int i = threadIdx.x; i < size; i += blockDim.x) {
            slot[slab_begin * layout_.plane_stride + i] = slab[i];
        }
    }

private:
    const Layout& layout_;
    const GriddingPart& part_;
    T* coefficients_;
};

/// The points of a plane that a lane looks after: `rounds` at most.
template <int rounds>
struct LanePoints {
    int x[rounds];
    int y[rounds];
    int offset[rounds];
    bool active[rounds];

    template <class T>
    __device__ explicit LanePoints(const GriddingLayout<T>& layout) {
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            const int point = threadIdx.x % 32 + 32 * r;
            active[r] = point < layout.points[0] * layout.points[1];
            x[r] = active[r] ? point % layout.points[0] : 0;
            y[r] = active[r] ? point / layout.points[0] : 0;
            offset[r] = y[r] * layout.row_stride + x[r];
        }
    }
};

/// A block spreads one part into shared memory, one sample after the other, and adds the tile to the grid, or leaves
/// it in a slot. A warp looks after every blockDim / 32-th plane, a lane after points of it: no two threads ever write
/// the same address, and every sum has one order.
template <class T, int rounds>
__global__ void spread_kernel(GriddingLayout<T> layout, const GriddingPart* parts, const DeviceComplex<T>* samples,
                              DeviceComplex<T>* grid, DeviceComplex<T>* slots) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<T>;
    constexpr int chunk = GriddingLayout<T>::chunk;
    const GriddingPart part = parts[blockIdx.x];
    samples += blockIdx.y * layout.sample_count;
    GriddingBlock<T> block(layout, part, memory);
    const LanePoints<rounds> lane(layout);
    const int warp = threadIdx.x / 32;
    const int warps = blockDim.x / 32;  // a power of two
    for (int first = 0; first < part.extent[2]; first += layout.slab_planes) {
        block.begin_slab(first);
        block.clear();
        for (int done = 0; done < part.sample_count; done += chunk) {
            const int count = min(chunk, part.sample_count - done);
            __syncthreads();
            block.make_weights(done, count);
            if (threadIdx.x < count) {
                block.values[threadIdx.x] =
                    load_constant(samples + layout.samples[part.first_sample + done + threadIdx.x].source);
            }
            __syncthreads();
            for (int s = 0; s < count; ++s) {
                const Complex value = block.values[s];
                const int first_plane = block.first_plane[s];
                Complex weighted[rounds];
#pragma unroll
                for (int r = 0; r < rounds; ++r) {
                    weighted[r] = block.weight(0, lane.x[r], s) * block.weight(1, lane.y[r], s) * value;
                }
                const int begin = max(first_plane, block.slab_begin);
                const int end = min(first_plane + layout.points[2], block.slab_end);
                for (int z = begin + ((warp - begin) & (warps - 1)); z < end; z += warps) {
                    const T weight = block.weight(2, z - first_plane, s);
                    Complex* plane = block.slab + (z - block.slab_begin) * layout.plane_stride + block.base[s];
                    Complex before[rounds];
#pragma unroll
                    for (int r = 0; r < rounds; ++r) {
                        before[r] = plane[lane.offset[r]];
                    }
#pragma unroll
                    for (int r = 0; r < rounds; ++r) {
                        if (lane.active[r]) {
                            plane[lane.offset[r]] = {before[r].re + weight * weighted[r].re,
                                                     before[r].im + weight * weighted[r].im};
                        }
                    }
                }
                __syncwarp();
            }
        }
        __syncthreads();
        if (part.slot_count > 0) {
            block.write_slot(slots + (blockIdx.y * layout.slot_total + part.first_slot) * layout.slot_size);
        } else {
            block.add_to_grid(grid + blockIdx.y * layout.grid_elements());
        }
        __syncthreads();
    }
}

/// Adds the slots of each tile to the grid, in order; blocks (tile, run of points, image).
template <class T>
__global__ void add_slots_kernel(GriddingLayout<T> layout, const GriddingPart* tiles, const DeviceComplex<T>* slots,
                                 DeviceComplex<T>* grid) {
    const GriddingPart tile = tiles[blockIdx.x];
    const int nx = min(tile.extent[0], layout.grid_size[0]);
    const int ny = min(tile.extent[1], layout.grid_size[1]);
    const int nz = min(tile.extent[2], layout.grid_size[2]);
    const DeviceComplex<T>* from = slots + (blockIdx.z * layout.slot_total + tile.first_slot) * layout.slot_size;
    for (int i = blockIdx.y * blockDim.x + threadIdx.x; i < nx * ny * nz; i += gridDim.y * blockDim.x) {
        const int x = i % nx;
        const int y = i / nx % ny;
        const int z = i / nx / ny;
        DeviceComplex<T> sum{0, 0};
        for (int zz = z; zz < tile.extent[2]; zz += layout.grid_size[2]) {
            for (int yy = y; yy < tile.extent[1]; yy += layout.grid_size[1]) {
                for (int xx = x; xx < tile.extent[0]; xx += layout.grid_size[0]) {
                    const DeviceComplex<T>* point = from + zz * layout.plane_stride + yy * layout.row_stride + xx;
#pragma unroll 8
                    for (int slot = 0; slot < tile.slot_count; ++slot) {
                        sum = sum + load_constant(point + slot * layout.slot_size);
                    }
                }
            }
        }
        const int grid_x = (tile.first_point[0] + x) % layout.grid_size[0];
        const int grid_y = (tile.first_point[1] + y) % layout.grid_size[1];
        const int grid_z = (tile.first_point[2] + z) % layout.grid_size[2];
        DeviceComplex<T>& to = grid[blockIdx.z * layout.grid_elements() +
                                    (Index{grid_z} * layout.grid_size[1] + grid_y) * layout.grid_size[0] + grid_x];
        to = to + sum;
    }
}

/// Sum over the warp of both components; lane 0 gets the real part, lane 16 the imaginary part.
template <class T>
__device__ T warp_sum(DeviceComplex<T> value) {
    const bool upper = threadIdx.x % 32 >= 16;
    T sum = (upper ? value.im : value.re) + __shfl_xor_sync(~0u, upper ? value.re : value.im, 16);
    for (int distance = 8; distance > 0; distance /= 2) {
        sum += __shfl_xor_sync(~0u, sum, distance);
    }
    return sum;
}

/// A block copies a tile with its halo to shared memory; its warps take the samples of the part in turn, lanes the
/// points of a plane.
template <class T, int rounds>
__global__ void interpolate_kernel(GriddingLayout<T> layout, const GriddingPart* parts, const DeviceComplex<T>* grid,
                                   DeviceComplex<T>* samples) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<T>;
    constexpr int chunk = GriddingLayout<T>::chunk;
    const GriddingPart part = parts[blockIdx.x];
    samples += blockIdx.y * layout.sample_count;
    grid += blockIdx.y * layout.grid_elements();
    GriddingBlock<T> block(layout, part, memory);
    const LanePoints<rounds> lane(layout);
    for (int first = 0; first < part.extent[2]; first += layout.slab_planes) {
        block.begin_slab(first);
        block.read_grid(grid);
        for (int done = 0; done < part.sample_count; done += chunk) {
            const int count = min(chunk, part.sample_count - done);
            __syncthreads();
            block.make_weights(done, count);
            __syncthreads();
            for (int s = threadIdx.x / 32; s < count; s += blockDim.x / 32) {
                const int first_plane = block.first_plane[s];
                const int begin = max(first_plane, block.slab_begin);
                const int end = min(first_plane + layout.points[2], block.slab_end);
                Complex sums[rounds]{};
                for (int z = begin; z < end; ++z) {
                    const T weight = block.weight(2, z - first_plane, s);
                    const Complex* plane = block.slab + (z - block.slab_begin) * layout.plane_stride + block.base[s];
#pragma unroll
                    for (int r = 0; r < rounds; ++r) {
                        sums[r] = sums[r] + weight * plane[lane.offset[r]];
                    }
                }
                Complex total{0, 0};
#pragma unroll
                for (int r = 0; r < rounds; ++r) {
                    const T weight = block.weight(0, lane.x[r], s) * block.weight(1, lane.y[r], s);
                    total = total + (lane.active[r] ? weight : T{0}) * sums[r];
                }
                const T component = warp_sum(total);
                if (threadIdx.x % 16 == 0) {
                    (threadIdx.x % 32 == 0 ? block.values[s].re : block.values[s].im) = component;
                }
            }
            __syncthreads();
            if (threadIdx.x < count) {
                Complex& to = samples[layout.samples[part.first_sample + done + threadIdx.x].source];
                const Complex here = block.values[threadIdx.x];
                to = first == 0 ? here : to + here;
            }
        }
        __syncthreads();
    }
}

/// A grid of a single point: grid[b] = sum_m samples[m,b]; one block an image, every sum in a fixed order.
template <class T>
__global__ void sum_samples_kernel(const DeviceComplex<T>* samples, Index sample_count, DeviceComplex<T>* grid) {
    constexpr int threads = 256;
    __shared__ DeviceComplex<double> of_thread[threads];
    samples += blockIdx.x * sample_count;
    DeviceComplex<double> sum{0, 0};
    for (Index m = threadIdx.x; m < sample_count; m += threads) {
        sum = sum + DeviceComplex<double>{samples[m].re, samples[m].im};
    }
    of_thread[threadIdx.x] = sum;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            of_thread[threadIdx.x] = of_thread[threadIdx.x] + of_thread[threadIdx.x + half];
        }
    }
    if (threadIdx.x == 0) {
        grid[blockIdx.x] = {static_cast<T>(of_thread[0].re), static_cast<T>(of_thread[0].im)};
    }
}

template <class T>
__global__ void repeat_point_kernel(const DeviceComplex<T>* grid, Index sample_count, DeviceComplex<T>* samples) {
    for (Index m = blockIdx.x * Index{blockDim.x} + threadIdx.x; m < sample_count; m += gridDim.x * Index{blockDim.x}) {
        samples[blockIdx.y * sample_count + m] = grid[blockIdx.y];
    }
}

}  // namespace recon
