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
    using Sample = typename Layout::Sample;
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

    /// The sample of a lane, the last one where there are no more.
    __device__ Sample sample_at(int done) const {
        const int place = min(done + static_cast<int>(threadIdx.x % 32), part_.sample_count - 1);
        return layout_.samples[part_.first_sample + place];
    }

    /// Places and weights of a chunk of samples, one a lane: sum_p coefficient[p] t^p.
    __device__ void make_weights(const Sample& sample) {
        const int lane = threadIdx.x % 32;
        const int warp = threadIdx.x / 32;
        const int warps = blockDim.x / 32;
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

    /// Calls function(offsets of rows in the slab, in the grid, how many, x in the slab, x in the grid) for the points
    /// of nx * ny * nz of the slab, `batch` rows at a time, so that their accesses to memory overlap.
    template <class Function>
    __device__ void for_each_row_batch(int nx, int ny, int nz, Function&& function) const {
        constexpr int reciprocal_bits = 20;  // rows times planes of a tile stay below 2^11, far from rounding
        const int reciprocal = (1 << reciprocal_bits) / ny + 1;
        const int warps = blockDim.x / 32;
        for (int row = threadIdx.x / 32; row < ny * nz; row += batch * warps) {
            int slab_row[batch];
            Index grid_row[batch];
            int count = 0;
#pragma unroll
            for (int i = 0; i < batch; ++i) {
                const int here = row + i * warps;
                const int z = (here * reciprocal) >> reciprocal_bits;
                const int y = here - z * ny;
                count += here < ny * nz ? 1 : 0;
                const int grid_y = (part_.first_point[1] + y) % layout_.grid_size[1];
                const int grid_z = (part_.first_point[2] + slab_begin + z) % layout_.grid_size[2];
                slab_row[i] = z * layout_.plane_stride + y * layout_.row_stride;
                grid_row[i] = (Index{grid_z} * layout_.grid_size[1] + grid_y) * layout_.grid_size[0];
            }
            for (int x = threadIdx.x % 32; x < nx; x += 32) {
                function(slab_row, grid_row, count, x, (part_.first_point[0] + x) % layout_.grid_size[0]);
            }
        }
    }

    __device__ void clear() const {
        const int size = (slab_end - slab_begin) * layout_.plane_stride;
        for (int i = threadIdx.x; i < size; i += blockDim.x) {
            slab[i] = {0, 0};
        }
    }

    __device__ void read_grid(const Complex* grid) const {
        for_each_row_batch(part_.extent[0], part_.extent[1], slab_end - slab_begin,
                           [&](const int* slab_row, const Index* grid_row, int count, int x, int grid_x) {
                               Complex read[batch];
#pragma unroll
                               for (int i = 0; i < batch; ++i) {
                                   read[i] = i < count ? load_constant(grid + grid_row[i] + grid_x) : Complex{0, 0};
                               }
#pragma unroll
                               for (int i = 0; i < batch; ++i) {
                                   if (i < count) {
                                       slab[slab_row[i] + x] = read[i];
                                   }
                               }
                           });
    }

    __device__ void add_to_grid(Complex* grid) const {
        const int* size = layout_.grid_size;
        const int planes = slab_end - slab_begin;
        const bool narrow = part_.extent[0] > size[0] || part_.extent[1] > size[1] || planes > size[2];
        for_each_row_batch(min(part_.extent[0], size[0]), min(part_.extent[1], size[1]), min(planes, size[2]),
                           [&](const int* slab_row, const Index* grid_row, int count, int x, int grid_x) {
                               Complex before[batch];
#pragma unroll
                               for (int i = 0; i < batch; ++i) {
                                   before[i] = i < count ? grid[grid_row[i] + grid_x] : Complex{0, 0};
                               }
#pragma unroll
                               for (int i = 0; i < batch; ++i) {
                                   if (i < count) {
                                       grid[grid_row[i] + grid_x] =
                                           before[i] + (narrow ? sum_of_turns(slab_row[i] + x) : slab[slab_row[i] + x]);
                                   }
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
    static constexpr int batch = 4;  ///< accesses to memory that a thread has under way

    /// A grid narrower than the tile is met several times: one thread adds up all of them.
    __device__ Complex sum_of_turns(int first) const {
        const int z = first / layout_.plane_stride;
        const int y = first % layout_.plane_stride / layout_.row_stride;
        const int x = first % layout_.plane_stride % layout_.row_stride;
        Complex sum{0, 0};
        for (int zz = z; zz < slab_end - slab_begin; zz += layout_.grid_size[2]) {
            for (int yy = y; yy < part_.extent[1]; yy += layout_.grid_size[1]) {
                for (int xx = x; xx < part_.extent[0]; xx += layout_.grid_size[0]) {
                    sum = sum + slab[zz * layout_.plane_stride + yy * layout_.row_stride + xx];
                }
            }
        }
        return sum;
    }

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
/// it in a slot. A warp looks after every blockDim / 32-th plane, `planes` of them at a time, a lane after points of
/// them: no two threads ever write the same address, and every sum has one order.
template <class T, int rounds, int planes>
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

    struct Weighted {
        Complex value[rounds];  // times the weights of x and y
        int base;
        int first_plane;
    };
    const auto weighted = [&](int s) {
        const Complex value = block.values[s];
        Weighted made;
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            made.value[r] = block.weight(0, lane.x[r], s) * block.weight(1, lane.y[r], s) * value;
        }
        made.base = block.base[s];
        made.first_plane = block.first_plane[s];
        return made;
    };

    for (int first = 0; first < part.extent[2]; first += layout.slab_planes) {
        block.begin_slab(first);
        block.clear();
        // Memory answers while the chunk before is worked on: a sample two chunks ahead, its value one.
        auto sample = block.sample_at(0);
        auto next_sample = block.sample_at(chunk);
        Complex value = load_constant(samples + sample.source);
        for (int done = 0; done < part.sample_count; done += chunk) {
            const int count = min(chunk, part.sample_count - done);
            __syncthreads();
            block.make_weights(sample);
            if (warp == 0) {
                block.values[threadIdx.x] = value;
            }
            __syncthreads();
            sample = next_sample;
            value = load_constant(samples + sample.source);
            next_sample = block.sample_at(done + 2 * chunk);
            Weighted next = weighted(0);
            for (int s = 0; s < count; ++s) {
                const Weighted now = next;
                next = weighted(min(s + 1, count - 1));
                const int begin = max(now.first_plane, block.slab_begin);
                const int end = min(now.first_plane + layout.points[2], block.slab_end);
                for (int z = begin + ((warp - begin) & (warps - 1)); z < end; z += planes * warps) {
                    Complex* point = block.slab + (z - block.slab_begin) * layout.plane_stride + now.base;
                    const int step = warps * layout.plane_stride;
                    T weight[planes];
                    Complex before[planes][rounds];
#pragma unroll
                    for (int p = 0; p < planes; ++p) {
                        if (z + p * warps < end) {
                            weight[p] = block.weight(2, z + p * warps - now.first_plane, s);
#pragma unroll
                            for (int r = 0; r < rounds; ++r) {
                                before[p][r] = point[p * step + lane.offset[r]];
                            }
                        }
                    }
#pragma unroll
                    for (int p = 0; p < planes; ++p) {
#pragma unroll
                        for (int r = 0; r < rounds; ++r) {
                            if (z + p * warps < end && lane.active[r]) {
                                point[p * step + lane.offset[r]] = {before[p][r].re + weight[p] * now.value[r].re,
                                                                    before[p][r].im + weight[p] * now.value[r].im};
                            }
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

/// Sums over the warp of `count` numbers of each lane, count a power of two up to 32: in lane l the sum of number
/// l / (32 / count). Each step halves the numbers that a lane still looks after.
template <int count, class T>
__device__ T warp_sums(T (&value)[count]) {
    int distance = 16;
#pragma unroll
    for (int half = count / 2; half > 0; half /= 2) {
        const bool upper = threadIdx.x & distance;
#pragma unroll
        for (int i = 0; i < half; ++i) {
            const T sent = upper ? value[i] : value[i + half];
            value[i] = (upper ? value[i + half] : value[i]) + __shfl_xor_sync(~0u, sent, distance);
        }
        distance /= 2;
    }
    for (; distance > 0; distance /= 2) {
        value[0] += __shfl_xor_sync(~0u, value[0], distance);
    }
    return value[0];
}

/// A block copies a tile with its halo to shared memory; its warps take the samples of the part in turn, `group` at a
/// time, lanes the points of a plane.
template <class T, int rounds>
__global__ void interpolate_kernel(GriddingLayout<T> layout, const GriddingPart* parts, const DeviceComplex<T>* grid,
                                   DeviceComplex<T>* samples) {
    extern __shared__ __align__(16) unsigned char memory[];
    using Complex = DeviceComplex<T>;
    constexpr int chunk = GriddingLayout<T>::chunk;
    constexpr int group = 4;
    const GriddingPart part = parts[blockIdx.x];
    samples += blockIdx.y * layout.sample_count;
    grid += blockIdx.y * layout.grid_elements();
    GriddingBlock<T> block(layout, part, memory);
    const LanePoints<rounds> lane(layout);

    const auto sum_of_lane = [&](int s) {
        const int first_plane = block.first_plane[s];
        const int begin = max(first_plane, block.slab_begin);
        const int end = min(first_plane + layout.points[2], block.slab_end);
        const Complex* plane = block.slab + (begin - block.slab_begin) * layout.plane_stride + block.base[s];
        const T* weight = &block.weight(2, begin - first_plane, s);
        Complex sums[rounds]{};
#pragma unroll 4
        for (int z = begin; z < end; ++z) {
#pragma unroll
            for (int r = 0; r < rounds; ++r) {
                const Complex value = plane[lane.offset[r]];
                sums[r] = {sums[r].re + *weight * value.re, sums[r].im + *weight * value.im};
            }
            plane += layout.plane_stride;
            weight += GriddingLayout<T>::chunk_stride;
        }
        Complex total{0, 0};
#pragma unroll
        for (int r = 0; r < rounds; ++r) {
            if (lane.active[r]) {
                const T of_row = block.weight(0, lane.x[r], s) * block.weight(1, lane.y[r], s);
                total = {total.re + of_row * sums[r].re, total.im + of_row * sums[r].im};
            }
        }
        return total;
    };

    for (int first = 0; first < part.extent[2]; first += layout.slab_planes) {
        block.begin_slab(first);
        auto sample = block.sample_at(0);
        block.read_grid(grid);
        for (int done = 0; done < part.sample_count; done += chunk) {
            const int count = min(chunk, part.sample_count - done);
            const Index source = sample.source;
            __syncthreads();
            block.make_weights(sample);
            sample = block.sample_at(done + chunk);
            __syncthreads();
            for (int s = threadIdx.x / 32 * group; s < count; s += blockDim.x / 32 * group) {
                T component[2 * group];
#pragma unroll
                for (int i = 0; i < group; ++i) {
                    const Complex total = sum_of_lane(min(s + i, count - 1));
                    component[2 * i] = total.re;
                    component[2 * i + 1] = total.im;
                }
                const T sum = warp_sums(component);
                constexpr int lanes = 32 / (2 * group);
                if (threadIdx.x % lanes == 0) {
                    reinterpret_cast<T*>(block.values + s)[threadIdx.x % 32 / lanes] = sum;
                }
            }
            __syncthreads();
            if (threadIdx.x < count) {
                Complex& to = samples[source];
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
