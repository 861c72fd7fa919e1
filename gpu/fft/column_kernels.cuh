#pragma once

#include <type_traits>
#include <utility>

#include "gpu/fft/volume_blocks.cuh"

namespace recon {

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
/// and accesses to shared memory (docs/toeplitz-gpu.md). `length` is 0 for kernels that take any.
template <int length>
constexpr int columns_lanes = length >= 384 ? 2 : 1;
/// Threads of a block, and blocks that the compiler keeps registers free for.
template <int length>
constexpr int columns_threads = length >= 384 ? length : 256;
template <class T, int length>
constexpr int columns_blocks = length >= 512   ? 2
                               : length >= 384 ? 3
                               : length > 0    ? 4
                                               : blocks_of_any_length<T>;

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
