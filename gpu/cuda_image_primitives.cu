// Mirrors core/cpu/cpu_image_primitives.cpp.
#include "gpu/cuda_image_primitives.cuh"

#include "gpu/device_complex.cuh"

namespace recon {
namespace {

constexpr int threads = 256;

__device__ Index first_element() { return blockIdx.x * Index{blockDim.x} + threadIdx.x; }
__device__ Index element_step() { return gridDim.x * Index{blockDim.x}; }

/// An image seen along one axis, whose neighbours are `stride` apart.
struct AxisRuns {
    Index extent;
    Index stride;
    Index size;
    __device__ bool is_first(Index n) const { return n / stride % extent == 0; }
    __device__ bool is_last(Index n) const { return (n / stride + 1) % extent == 0; }
};

AxisRuns runs_along(const Shape& shape, int axis) {
    Index stride = 1;
    for (int faster = 0; faster < axis; ++faster) {
        stride *= shape.extent(faster);
    }
    return {shape.extent(axis), stride, shape.element_count()};
}

template <class T>
__global__ void difference_kernel(const DeviceComplex<T>* x, AxisRuns runs, DeviceComplex<T>* y) {
    for (Index n = first_element(); n < runs.size; n += element_step()) {
        y[n] = runs.is_last(n) ? DeviceComplex<T>{0, 0} : x[n + runs.stride] - x[n];
    }
}

template <class T>
__global__ void add_adjoint_difference_kernel(const DeviceComplex<T>* x, AxisRuns runs, DeviceComplex<T>* y) {
    for (Index n = first_element(); n < runs.size; n += element_step()) {
        const DeviceComplex<T> from_before = runs.is_first(n) ? DeviceComplex<T>{0, 0} : x[n - runs.stride];
        const DeviceComplex<T> from_here = runs.is_last(n) ? DeviceComplex<T>{0, 0} : x[n];
        y[n] = y[n] + (from_before - from_here);
    }
}

}  // namespace

void CudaImagePrimitives::do_difference(int axis, ConstArrayView x, ArrayView y) const {
    const AxisRuns runs = runs_along(x.shape(), axis);
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        difference_kernel<T><<<blocks_for(runs.size, threads), threads, 0, queue_->stream()>>>(
            as_device(x.data<T>()), runs, as_device(y.data<T>()));
    });
    check_launch();
}

void CudaImagePrimitives::do_add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const {
    const AxisRuns runs = runs_along(x.shape(), axis);
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        add_adjoint_difference_kernel<T><<<blocks_for(runs.size, threads), threads, 0, queue_->stream()>>>(
            as_device(x.data<T>()), runs, as_device(y.data<T>()));
    });
    check_launch();
}

}  // namespace recon
