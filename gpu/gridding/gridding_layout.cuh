#pragma once

#include "core/fourier/kernel_polynomials.hpp"
#include "gpu/device/device_complex.cuh"
#include "gpu/gridding/gridding_sort.cuh"

namespace recon {

/// Samples of one tile for one block of threads; where the plan has bins, groups of them instead of samples.
struct GriddingPart {
    int first_point[3];  ///< of the tile; z slowest, 0 and extent 1 along axes that take no part
    int extent[3];       ///< of the tile with its halo
    int sample_count;
    int slot_count;  ///< buffers that hold the tile's parts; 0 if the tile is added to the grid at once
    Index first_sample;
    Index first_slot;
};

/// What every kernel of a plan knows. It lies in constant memory, the polynomials too: all lanes read the same.
template <class T>
struct GriddingLayout {
    static constexpr int most_coefficients = (KernelPolynomials::max_degree + 1) * GriddingKernel::max_width;

    int grid_size[3];  ///< axes of one point last
    int points[3];     ///< that a sample touches along each axis: the kernel's width, or 1
    int degree;
    int row_stride;    ///< of a tile's buffer, elements
    int plane_stride;  ///< likewise
    int slab_planes;   ///< planes of a tile that shared memory holds at a time
    Index slot_size;   ///< elements of a whole tile
    Index slot_total;
    Index sample_count;
    const GriddingPlace<T>* places;  ///< of the samples, in the order of their tiles
    const std::uint32_t* sources;
    const GriddingGroup* groups;       ///< null without bins
    T coefficient[most_coefficients];  ///< [power][point]; 0 beyond the degree

    __host__ __device__ Index grid_elements() const { return Index{grid_size[0]} * grid_size[1] * grid_size[2]; }
    __host__ __device__ int slab_size() const { return slab_planes * plane_stride; }
};

/// Complex numbers that one instruction moves between shared memory and registers: 16 bytes.
template <class T>
struct alignas(16) PointVector {
    static constexpr int size = 16 / sizeof(DeviceComplex<T>);
    DeviceComplex<T> point[size];
};

/// Vectors along x that hold all points of a kernel, wherever in a vector the first one lies.
template <class T>
__host__ __device__ constexpr int vectors_of_row(int width) {
    return (width + 2 * PointVector<T>::size - 2) / PointVector<T>::size;
}

}  // namespace recon
