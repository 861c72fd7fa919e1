#pragma once

#include "gpu/device_complex.cuh"
#include "gpu/gridding_sort.cuh"

namespace recon {

/// Two such blocks fill a multiprocessor, with registers for both.
inline constexpr int most_gridding_threads = 256;

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

    int grid_size[3];  ///< axes of one point last
    int points[3];     ///< that a sample touches along each axis: the kernel's width, or 1
    int degree;
    int row_stride;    ///< of a tile's buffer, elements
    int plane_stride;  ///< likewise
    int slab_planes;   ///< planes of a tile that shared memory holds at a time
    Index slot_size;   ///< elements of a whole tile
    Index slot_total;
    Index sample_count;
    const T* coefficients;           ///< [power][point]
    const GriddingPlace<T>* places;  ///< of the samples, in the order of their tiles
    const std::uint32_t* sources;

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
    int* offset;      ///< of each sample: its first point in the tile
    int* first_plane;
    int slab_begin = 0;
    int slab_end = 0;

    __device__ GriddingBlock(const Layout& layout, const GriddingPart& part, unsigned char* memory)
        : layout_(layout), part_(part) {
        slab = reinterpret_cast<Complex*>(memory);
        values = slab + layout.slab_planes * layout.plane_stride;
        weights = reinterpret_cast<T*>(values + chunk);
        coefficients_ = weights + layout.weight_count();
        offset = reinterpret_cast<int*>(coefficients_ + layout.coefficient_count());
        first_plane = offset + chunk;
        for (int i = threadIdx.x; i < layout.coefficient_count(); i += blockDim.x) {
            coefficients_[i] = layout.coefficients[i];
        }
    }

    __device__ void begin_slab(int first) {
        slab_begin = first;
        slab_end = min(first + layout_.slab_planes, part_.extent[2]);
    }

    /// The sample of a lane, the last one where there are no more.
    struct Sample {
        GriddingPlace<T> place;
        Index source;
    };
    __device__ Sample sample_at(int done) const {
        const int rank = min(done + static_cast<int>(threadIdx.x % 32), part_.sample_count - 1);
        return {layout_.places[part_.first_sample + rank], layout_.sources[part_.first_sample + rank]};
    }

    /// Places and weights of a chunk of samples, one a lane: sum_p coefficient[p] t^p.
    __device__ void make_weights(const GriddingPlace<T>& sample) {
        const int lane = threadIdx.x % 32;
        const int warp = threadIdx.x / 32;
        const int warps = blockDim.x / 32;
        if (warp == 0) {
            offset[lane] = sample.local_offset;
            first_plane[lane] = sample.local_offset / layout_.plane_stride;
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
    static constexpr int batch = 8;  ///< accesses to memory that a thread has under way

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

}  // namespace recon
