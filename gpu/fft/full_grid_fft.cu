#include "gpu/fft/full_grid_fft.cuh"

#include <limits>
#include <type_traits>
#include <vector>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr int threads = 256;

/// Coordinates of element `i` of a block of the given extents.
struct Coordinates {
    __device__ Coordinates(Index i, const int (&extent)[3])
        : x(static_cast<int>(i % extent[0])),
          y(static_cast<int>(i / extent[0] % extent[1])),
          z(static_cast<int>(i / extent[0] / extent[1])) {}
    int x;
    int y;
    int z;
};

__device__ int image_index(int grid_index, int first, int extent) {
    return grid_index < first ? grid_index - first + extent : grid_index - first;
}
__device__ int grid_index(int image_index, int first, int extent) {
    const int sum = image_index + first;
    return sum < extent ? sum : sum - extent;
}

template <class T>
__device__ T weight_of(const GridPlacement<T>& p, int x, int y, int z) {
    return p.weight[0] ? p.weight[0][x] * (p.weight[1][y] * p.weight[2][z]) : T(1);
}

template <class T>
__global__ void place_kernel(GridPlacement<T> p, const DeviceComplex<T>* image, const DeviceComplex<T>* map,
                             DeviceComplex<T>* grid, Index grid_size) {
    for (Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x; i < grid_size; i += gridDim.x * Index{blockDim.x}) {
        const Coordinates g(i, p.grid);
        const int x = image_index(g.x, p.first[0], p.grid[0]);
        const int y = image_index(g.y, p.first[1], p.grid[1]);
        const int z = image_index(g.z, p.first[2], p.grid[2]);
        DeviceComplex<T> value{0, 0};
        if (x < p.image[0] && y < p.image[1] && z < p.image[2]) {
            const Index voxel = (Index{z} * p.image[1] + y) * p.image[0] + x;
            value = weight_of(p, x, y, z) * (map ? image[voxel] * map[voxel] : image[voxel]);
            if (p.modulation) {
                value = value * p.modulation[voxel];
            }
        }
        grid[i] = value;
    }
}

template <class T>
__global__ void extract_kernel(GridPlacement<T> p, const DeviceComplex<T>* grid, const DeviceComplex<T>* map,
                               bool accumulate, DeviceComplex<T>* image, Index image_size) {
    for (Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x; i < image_size; i += gridDim.x * Index{blockDim.x}) {
        const Coordinates v(i, p.image);
        const Index from =
            (Index{grid_index(v.z, p.first[2], p.grid[2])} * p.grid[1] + grid_index(v.y, p.first[1], p.grid[1])) *
                p.grid[0] +
            grid_index(v.x, p.first[0], p.grid[0]);
        DeviceComplex<T> value = weight_of(p, v.x, v.y, v.z) * grid[from];
        if (map) {
            value = conj(map[i]) * value;
        }
        if (p.modulation) {
            value = conj(p.modulation[i]) * value;
        }
        image[i] = accumulate ? image[i] + value : value;
    }
}

template <class T>
__global__ void multiply_kernel(const T* spectrum, DeviceComplex<T>* grid, Index size) {
    for (Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x; i < size; i += gridDim.x * Index{blockDim.x}) {
        grid[i] = spectrum[i] * grid[i];
    }
}

}  // namespace

template <class T>
FullGridFft<T>::FullGridFft(CudaQueue& queue, const PerAxis<Index>& grid_size)
    : queue_(&queue), grid_size_(grid_size[0] * grid_size[1] * grid_size[2]) {
    std::vector<long long> lengths;  // slowest first
    for (int axis = 2; axis >= 0; --axis) {
        if (grid_size[axis] > std::numeric_limits<int>::max()) {
            throw ShapeError(queue.name() + ": FFT of length " + std::to_string(grid_size[axis]) + " is too long");
        }
        if (grid_size[axis] > 1) {
            lengths.push_back(grid_size[axis]);
        }
    }
    if (lengths.empty()) {
        return;  // one number is its own transform
    }
    queue.stream();  // the plan belongs to the current device
    cufftHandle handle{};
    check(cufftCreate(&handle));
    plan_ = CufftHandle(handle);
    check(cufftSetAutoAllocation(handle, 0));  // work memory comes from the queue's pool
    constexpr cufftType type = std::is_same_v<T, float> ? CUFFT_C2C : CUFFT_Z2Z;
    check(cufftMakePlanMany64(handle, static_cast<int>(lengths.size()), lengths.data(), nullptr, 1, 0, nullptr, 1, 0,
                              type, 1, &work_bytes_));
    check(cufftSetStream(handle, queue.stream()));
}

template <class T>
void FullGridFft<T>::place(const GridPlacement<T>& placement, const Complex* image, const Complex* map,
                           Complex* grid) const {
    place_kernel<T>
        <<<blocks_for(grid_size_, threads), threads, 0, queue_->stream()>>>(placement, image, map, grid, grid_size_);
    check_launch();
}

template <class T>
void FullGridFft<T>::extract(const GridPlacement<T>& placement, const Complex* grid, const Complex* map,
                             bool accumulate, Complex* image) const {
    const Index image_size = Index{placement.image[0]} * placement.image[1] * placement.image[2];
    extract_kernel<T><<<blocks_for(image_size, threads), threads, 0, queue_->stream()>>>(placement, grid, map,
                                                                                         accumulate, image, image_size);
    check_launch();
}

template <class T>
void FullGridFft<T>::transform(Complex* grid, int direction) const {
    if (!plan_) {
        return;
    }
    DeviceBuffer<std::byte> work(*queue_, static_cast<Index>(work_bytes_));
    queue_->stream();
    check(cufftSetWorkArea(plan_.get(), work.data()));
    if constexpr (std::is_same_v<T, float>) {
        auto* data = reinterpret_cast<cufftComplex*>(grid);
        check(cufftExecC2C(plan_.get(), data, data, direction));
    } else {
        auto* data = reinterpret_cast<cufftDoubleComplex*>(grid);
        check(cufftExecZ2Z(plan_.get(), data, data, direction));
    }
}

template <class T>
void FullGridFft<T>::multiply(const T* spectrum, Complex* grid) const {
    multiply_kernel<T><<<blocks_for(grid_size_, threads), threads, 0, queue_->stream()>>>(spectrum, grid, grid_size_);
    check_launch();
}

template class FullGridFft<float>;
template class FullGridFft<double>;

}  // namespace recon
