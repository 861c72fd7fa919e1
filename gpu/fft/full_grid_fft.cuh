#pragma once

#include "gpu/device/cuda_queue.cuh"
#include "gpu/device/device_complex.cuh"

namespace recon {

/// Where images lie in grids: image index i of an axis at grid index (i + first) modulo the grid's extent.
template <class T>
struct GridPlacement {
    int image[3];
    int grid[3];
    int first[3];
    const T* weight[3];                  ///< of each image index; all null for 1
    const DeviceComplex<T>* modulation;  ///< factor of each voxel, conjugated by extract; null for 1
};

/// Transforms by cuFFT of a whole grid, zeros included, for axes too long for the passes through shared memory.
template <class T>
class FullGridFft {
public:
    using Complex = DeviceComplex<T>;

    FullGridFft(CudaQueue& queue, const PerAxis<Index>& grid_size);

    /// grid = placement of weighted image * map, zeros elsewhere. `map` may be null.
    void place(const GridPlacement<T>& placement, const Complex* image, const Complex* map, Complex* grid) const;
    /// image = (or +=) weighted conj(map) * what lies at the image's place
    void extract(const GridPlacement<T>& placement, const Complex* grid, const Complex* map, bool accumulate,
                 Complex* image) const;
    /// In place, unscaled; `direction` is CUFFT_FORWARD (sign -) or CUFFT_INVERSE.
    void transform(Complex* grid, int direction) const;
    /// grid *= spectrum
    void multiply(const T* spectrum, Complex* grid) const;

    Index grid_size() const { return grid_size_; }

private:
    CudaQueue* queue_;
    Index grid_size_;
    CufftHandle plan_;
    std::size_t work_bytes_ = 0;
};

}  // namespace recon
