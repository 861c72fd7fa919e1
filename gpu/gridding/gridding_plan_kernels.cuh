#pragma once

#include "gpu/gridding/gridding_slab.cuh"

namespace recon {

// Kernels of a plan, whatever its method.

/// Adds the slots of each tile, in order, to the grid; blocks (tile, run of points, image).
template <class T>
__global__ void add_slots_kernel(const __grid_constant__ GriddingLayout<T> layout, const GriddingPart* tiles,
                                 const DeviceComplex<T>* slots, DeviceComplex<T>* grid) {
    const GriddingPart tile = tiles[blockIdx.x];
    slots += (blockIdx.z * layout.slot_total + tile.first_slot) * layout.slot_size;
    add_to_grid(layout, tile, 0, tile.extent[2], grid + blockIdx.z * layout.grid_elements(),
                {static_cast<int>(blockIdx.y * blockDim.x + threadIdx.x), static_cast<int>(gridDim.y * blockDim.x)},
                [&](int place) {
                    DeviceComplex<T> sum{0, 0};
#pragma unroll 16
                    for (int slot = 0; slot < tile.slot_count; ++slot) {
                        sum = sum + slots[slot * layout.slot_size + place];
                    }
                    return sum;
                });
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
