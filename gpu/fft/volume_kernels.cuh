#pragma once

#include <type_traits>
#include <utility>

#include "gpu/fft/pencil_fft.cuh"

namespace recon {

/// Rows of images inside a grid: image index i of an axis sits at grid index (i + first) modulo the grid's extent.
/// Grids hold the rows that hold image, or all: `extent` says which.
template <class T>
struct RowsPass {
    PencilFftView<T> fft;
    int image[3];
    int first[3];
    int extent[3];
    const T* weight[3];                  ///< of each image index; all null for 1
    const DeviceComplex<T>* modulation;  ///< factor of each voxel, conjugated on the way back; null for 1
};

/// Strides of a block of columns, in elements; neighbouring columns are neighbours in memory.
struct ColumnStrides {
    Index element;
    Index outer;
    Index batch;
};

/// Columns along y or z. `outer` counts along the third axis, of which only the indices from `outer_first` on, modulo
/// `outer_extent`, hold image.
template <class T>
struct ColumnsPass {
    PencilFftView<T> fft;
    int image_count;
    int first_index;
    int column_count;
    int outer_first;
    int outer_extent;
};

/// Columns that a thread transforms together, in kernels compiled for one length: they share roots of unity, addresses
/// and accesses to shared memory (docs/toeplitz-gpu.md).
template <int length>
constexpr int columns_lanes = length >= 384 ? 2 : 1;

/// Threads of a block, and blocks that the compiler keeps registers free for: a pass waits for memory, and other blocks
/// fill the time. `length` is that of kernels compiled for one length, 0 for those that take any.
template <int length>
constexpr int rows_threads = 256;
template <int length>
constexpr int columns_threads = length >= 384 ? length : 256;
template <class T, int length>
constexpr int rows_blocks = length >= 384                ? 5
                            : length > 0                 ? 4
                            : sizeof(T) == sizeof(float) ? 3
                                                         : 1;
template <class T, int length>
constexpr int columns_blocks = length >= 512   ? 2
                               : length >= 384 ? 3
                                               : rows_blocks<T, length>;

extern __shared__ unsigned char shared_bytes[];

template <class T, int lanes = 1>
__device__ Neighbours<DeviceComplex<T>, lanes>* shared_pencils() {
    return reinterpret_cast<Neighbours<DeviceComplex<T>, lanes>*>(shared_bytes);
}

/// (i + first) modulo extent, for 0 <= i, first < extent.
__device__ inline int wrapped(int i, int first, int extent) {
    const int sum = i + first;
    return sum < extent ? sum : sum - extent;
}
/// The image index at grid index `i`: the inverse of `wrapped`; it may lie outside the image.
__device__ inline int unwrapped(int i, int first, int extent) { return i < first ? i - first + extent : i - first; }

/// The row of one thread: where it is in an image, and where in a grid.
struct RowPlace {
    bool exists;
    Index image_offset;
    Index grid_offset;
    int y;
    int z;
};

template <class T>
__device__ RowPlace row_place(const RowsPass<T>& pass) {
    const Index group = blockIdx.z * Index{gridDim.y} + blockIdx.y;
    const Index row = group * blockDim.y + threadIdx.y;
    RowPlace place{};
    place.exists = row < Index{pass.image[1]} * pass.image[2];
    place.z = static_cast<int>(row / pass.image[1]);
    place.y = static_cast<int>(row - Index{place.z} * pass.image[1]);
    place.image_offset = row * pass.image[0];
    place.grid_offset = (wrapped(place.z, pass.first[2], pass.extent[2]) * Index{pass.extent[1]} +
                         wrapped(place.y, pass.first[1], pass.extent[1])) *
                        pass.extent[0];
    return place;
}

template <class T>
__device__ T row_weight(const RowsPass<T>& pass, const RowPlace& place) {
    return pass.weight[0] && place.exists ? pass.weight[1][place.y] * pass.weight[2][place.z] : T(1);
}

/// A block: blockDim.y rows, blockDim.x threads each. blockIdx.x: image of a batch, or coil of one image; blocks of the
/// same rows follow each other, so that the cache keeps the image for all coils.
template <class T, int length>
__global__ void __launch_bounds__(rows_threads<length>, rows_blocks<T, length>)
    rows_forward_kernel(const __grid_constant__ RowsPass<T> pass, const DeviceComplex<T>* images, Index image_stride,
                        const DeviceComplex<T>* coil_maps, DeviceComplex<T>* grids) {
    using Complex = DeviceComplex<T>;
    const RowPlace place = row_place(pass);
    const Index batch = blockIdx.x;
    const Complex* image = images + batch * image_stride + place.image_offset;
    const Complex* map =
        coil_maps ? coil_maps + batch * pass.image[0] * pass.image[1] * pass.image[2] + place.image_offset : nullptr;
    Complex* grid = grids + batch * pass.extent[0] * pass.extent[1] * pass.extent[2] + place.grid_offset;
    const T of_row = row_weight(pass, place);
    const auto& fft = with_constants<length>(pass.fft);
    using Worker = PencilWorker<T, 1, 1, std::remove_cvref_t<decltype(fft)>>;
    const Worker worker(fft, shared_pencils<T>() + threadIdx.y * fft.shared_size(), threadIdx.x, blockDim.x);
    worker.forward(
        [&](int i) {
            const int x = unwrapped(i, pass.first[0], pass.extent[0]);
            if (!place.exists || x >= pass.image[0]) {
                return typename Worker::Elements{};
            }
            Complex value = load_constant(image + x);
            if (map) {
                value = value * load_constant(map + x);
            }
            if (pass.modulation) {
                value = value * load_constant(pass.modulation + place.image_offset + x);
            }
            if (pass.weight[0]) {
                value = (of_row * pass.weight[0][x]) * value;
            }
            return typename Worker::Elements{value};
        },
        [&](int frequency, const typename Worker::Elements& values) {
            if (place.exists) {
                grid[frequency] = values.of[0];
            }
        });
}

/// The transpose. `coil_count` grids follow each other and are added up in this order, with coil maps or without.
template <class T, int length>
__global__ void __launch_bounds__(rows_threads<length>, rows_blocks<T, length>)
    rows_inverse_kernel(const __grid_constant__ RowsPass<T> pass, const DeviceComplex<T>* grids,
                        const DeviceComplex<T>* coil_maps, int coil_count, bool accumulate, DeviceComplex<T>* images) {
    using Complex = DeviceComplex<T>;
    const RowPlace place = row_place(pass);
    const Index image_size = Index{pass.image[0]} * pass.image[1] * pass.image[2];
    const Index grid_size = Index{pass.extent[0]} * pass.extent[1] * pass.extent[2];
    Complex* image = images + blockIdx.x * image_size + place.image_offset;
    const Complex* grid = grids + blockIdx.x * grid_size + place.grid_offset;
    const Complex* map = coil_maps ? coil_maps + place.image_offset : nullptr;
    const T of_row = row_weight(pass, place);
    const auto& fft = with_constants<length>(pass.fft);
    using Worker = PencilWorker<T, 1, 1, std::remove_cvref_t<decltype(fft)>>;
    const Worker worker(fft, shared_pencils<T>() + threadIdx.y * fft.shared_size(), threadIdx.x, blockDim.x);
    for (int coil = 0; coil < coil_count; ++coil) {
        worker.inverse(
            [&](int frequency) {
                return typename Worker::Elements{place.exists ? load_constant(grid + frequency) : Complex{0, 0}};
            },
            [&](int i, const typename Worker::Elements& values) {
                Complex value = values.of[0];
                const int x = unwrapped(i, pass.first[0], pass.extent[0]);
                if (!place.exists || x >= pass.image[0]) {
                    return;
                }
                if (map) {
                    value = conj(load_constant(map + x)) * value;
                }
                if (pass.modulation) {
                    value = conj(load_constant(pass.modulation + place.image_offset + x)) * value;
                }
                if (pass.weight[0]) {
                    value = (of_row * pass.weight[0][x]) * value;
                }
                image[x] = accumulate || coil > 0 ? image[x] + value : value;
            });
        __syncthreads();  // the next coil writes the shared memory that this one reads
        grid += grid_size;
        map = map ? map + image_size : nullptr;
    }
}

/// A block: `columns` neighbouring columns, of which thread (x, y) works on `lanes`, from column x lanes on.
/// blockIdx.x: of a batch, whose blocks of the same columns follow each other, so that the cache keeps the spectrum for
/// them. With two lanes the number of columns and all strides are even, and the numbers are aligned for two.
template <class T, int columns, int lanes, class Fft>
struct ColumnPlace {
    using Worker = PencilWorker<T, lanes, columns / lanes, Fft>;
    using Elements = typename Worker::Elements;

    __device__ ColumnPlace(const ColumnsPass<T>& pass, const Fft& fft)
        : column(static_cast<int>(blockIdx.y * columns + threadIdx.x * lanes)),
          exists(column < pass.column_count),
          outer(wrapped(static_cast<int>(blockIdx.z), pass.outer_first, pass.outer_extent)),
          worker(fft, shared_pencils<T, lanes>() + threadIdx.x, static_cast<int>(threadIdx.y),
                 static_cast<int>(blockDim.y)) {}

    __device__ Index offset(const ColumnStrides& strides) const {
        return blockIdx.x * strides.batch + outer * strides.outer + column;
    }
    /// From a place in memory that `offset` leads to.
    __device__ static Elements read(const DeviceComplex<T>* address) {
        return *reinterpret_cast<const Elements*>(address);
    }
    __device__ static void write(const Elements& values, DeviceComplex<T>* address) {
        *reinterpret_cast<Elements*>(address) = values;
    }
    /// Of real numbers that no kernel writes while this one runs.
    __device__ static Neighbours<T, lanes> read_constant(const T* address) {
        if constexpr (lanes == 1) {
            return {__ldg(address)};
        } else {
            static_assert(lanes == 2 && sizeof(T) == sizeof(float));
            const float2 value = __ldg(reinterpret_cast<const float2*>(address));
            return {value.x, value.y};
        }
    }

    int column;
    bool exists;
    int outer;
    Worker worker;
};

template <class T, int columns, int length>
using ColumnPlaceOf =
    ColumnPlace<T, columns, columns_lanes<length>,
                std::remove_cvref_t<decltype(with_constants<length>(std::declval<const PencilFftView<T>&>()))>>;

/// `from` and `to` may be the same with the same strides: a block reads all of its columns before it writes them.
template <class T, int columns, int length>
__global__ void __launch_bounds__(columns_threads<length>, columns_blocks<T, length>)
    columns_forward_kernel(const __grid_constant__ ColumnsPass<T> pass, const DeviceComplex<T>* from,
                           ColumnStrides from_strides, DeviceComplex<T>* to, ColumnStrides to_strides) {
    using Place = ColumnPlaceOf<T, columns, length>;
    using Elements = typename Place::Elements;
    const auto& fft = with_constants<length>(pass.fft);
    const Place place(pass, fft);
    from += place.offset(from_strides);
    to += place.offset(to_strides);
    place.worker.forward(
        [&](int i) {
            const bool holds_image = unwrapped(i, pass.first_index, fft.length) < pass.image_count;
            return place.exists && holds_image ? Place::read(from + i * from_strides.element) : Elements{};
        },
        [&](int frequency, const Elements& values) {
            if (place.exists) {
                Place::write(values, to + frequency * to_strides.element);
            }
        });
}

template <class T, int columns, int length>
__global__ void __launch_bounds__(columns_threads<length>, columns_blocks<T, length>)
    columns_inverse_kernel(const __grid_constant__ ColumnsPass<T> pass, const DeviceComplex<T>* from,
                           ColumnStrides from_strides, DeviceComplex<T>* to, ColumnStrides to_strides) {
    using Place = ColumnPlaceOf<T, columns, length>;
    using Elements = typename Place::Elements;
    const auto& fft = with_constants<length>(pass.fft);
    const Place place(pass, fft);
    from += place.offset(from_strides);
    to += place.offset(to_strides);
    place.worker.inverse(
        [&](int frequency) { return place.exists ? Place::read(from + frequency * from_strides.element) : Elements{}; },
        [&](int i, const Elements& values) {
            if (place.exists && unwrapped(i, pass.first_index, fft.length) < pass.image_count) {
                Place::write(values, to + i * to_strides.element);
            }
        });
}

/// In place: transform, multiply by the real spectrum, transform back.
template <class T, int columns, int length>
__global__ void __launch_bounds__(columns_threads<length>, columns_blocks<T, length>)
    columns_convolve_kernel(const __grid_constant__ ColumnsPass<T> pass, DeviceComplex<T>* data, ColumnStrides strides,
                            const T* spectrum, ColumnStrides spectrum_strides) {
    using Place = ColumnPlaceOf<T, columns, length>;
    using Elements = typename Place::Elements;
    const auto& fft = with_constants<length>(pass.fft);
    const Place place(pass, fft);
    data += place.offset(strides);
    spectrum += place.offset(spectrum_strides);
    place.worker.convolve(
        [&](int i) {
            return place.exists && i < pass.image_count ? Place::read(data + i * strides.element) : Elements{};
        },
        [&](int frequency) {
            return place.exists ? Place::read_constant(spectrum + frequency * spectrum_strides.element)
                                : Neighbours<T, columns_lanes<length>>{};
        },
        [&](int i, const Elements& values) {
            if (place.exists && i < pass.image_count) {
                Place::write(values, data + i * strides.element);
            }
        });
}

}  // namespace recon
