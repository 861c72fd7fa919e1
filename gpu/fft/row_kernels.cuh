#pragma once

#include <type_traits>

#include "gpu/fft/volume_blocks.cuh"

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

/// Threads of a block, and blocks that the compiler keeps registers free for. `length` is that of kernels compiled for
/// one length, 0 for those that take any.
template <int length>
constexpr int rows_threads = 256;
template <class T, int length>
constexpr int rows_blocks = length >= 384 ? 5
                            : length > 0  ? 4
                                          : blocks_of_any_length<T>;

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

}  // namespace recon
