// Mirrors core/backend/cpu/cpu_image_primitives.cpp.
#include "gpu/primitives/cuda_image_primitives.cuh"

#include <algorithm>

#include "gpu/device/device_complex.cuh"
#include "gpu/device/element_loop.cuh"

namespace recon {
namespace {

constexpr int threads = 256;

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

template <class T>
__global__ void pick_kernel(const DeviceComplex<T>* x, PerAxis<Index> of_x, PerAxis<const Index*> places,
                            PerAxis<Index> size, DeviceComplex<T>* y) {
    for (Index n = first_element(); n < size[0] * size[1] * size[2]; n += element_step()) {
        const Index row = n / size[0];
        y[n] = x[places[0][n % size[0]] + of_x[0] * (places[1][row % size[1]] + of_x[1] * places[2][row / size[1]])];
    }
}

template <class T>
struct SmoothingWeights {
    T values[ImagePrimitives::most_weights];
    int count;
};

template <class T>
__global__ void smooth_kernel(const DeviceComplex<T>* x, AxisRuns runs, SmoothingWeights<T> weights,
                              DeviceComplex<T>* y) {
    for (Index n = first_element(); n < runs.size; n += element_step()) {
        const Index at = n / runs.stride % runs.extent;
        const int first = -static_cast<int>(min(Index{weights.count} - 1, at));
        const int last = static_cast<int>(min(Index{weights.count} - 1, runs.extent - 1 - at));
        DeviceComplex<T> sum{0, 0};
        T of_weights = 0;
        for (int j = first; j <= last; ++j) {
            const T weight = weights.values[abs(j)];
            of_weights += weight;
            sum = sum + weight * x[n + j * runs.stride];
        }
        y[n] = {sum.re / of_weights, sum.im / of_weights};
    }
}

template <class T>
struct WeightedAxis {
    AxisRuns runs;
    T squared_factor;
    const DeviceComplex<T>* weights;  ///< null: 1
    __device__ T squared(Index n) const {
        if (weights == nullptr) {
            return squared_factor;
        }
        const T weight = weights[n].re;
        return squared_factor * weight * weight;
    }
};

template <class T>
struct WeightedAxes {
    WeightedAxis<T> axis[3];
};

template <class T>
__global__ void difference_normal_kernel(const DeviceComplex<T>* x, WeightedAxes<T> axes, DeviceComplex<T>* z) {
    for (Index n = first_element(); n < axes.axis[0].runs.size; n += element_step()) {
        const DeviceComplex<T> here = x[n];
        DeviceComplex<T> sum{0, 0};
#pragma unroll
        for (int a = 0; a < 3; ++a) {
            const WeightedAxis<T>& axis = axes.axis[a];
            if (!axis.runs.is_last(n)) {
                sum = sum + axis.squared(n) * (here - x[n + axis.runs.stride]);
            }
            if (!axis.runs.is_first(n)) {
                sum = sum + axis.squared(n - axis.runs.stride) * (here - x[n - axis.runs.stride]);
            }
        }
        z[n] = sum;
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

void CudaImagePrimitives::do_pick(const PerAxis<std::vector<Index>>& places, ConstArrayView x, ArrayView y) const {
    const PerAxis<DeviceBuffer<Index>> lists{DeviceBuffer<Index>(*queue_, places[0]),
                                             DeviceBuffer<Index>(*queue_, places[1]),
                                             DeviceBuffer<Index>(*queue_, places[2])};
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        pick_kernel<T><<<blocks_for(y.size(), threads), threads, 0, queue_->stream()>>>(
            as_device(x.data<T>()), x.shape().matrix_size(), {lists[0].data(), lists[1].data(), lists[2].data()},
            y.shape().matrix_size(), as_device(y.data<T>()));
    });
    check_launch();
}

void CudaImagePrimitives::do_smooth(int axis, std::span<const double> weights, ConstArrayView x, ArrayView y) const {
    const AxisRuns runs = runs_along(x.shape(), axis);
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        SmoothingWeights<T> of_kernel{};
        of_kernel.count = static_cast<int>(weights.size());
        std::copy(weights.begin(), weights.end(), of_kernel.values);
        smooth_kernel<T><<<blocks_for(runs.size, threads), threads, 0, queue_->stream()>>>(
            as_device(x.data<T>()), runs, of_kernel, as_device(y.data<T>()));
    });
    check_launch();
}

void CudaImagePrimitives::do_difference_normal(const DifferenceWeights& weights, ConstArrayView x, ArrayView z) const {
    const PerAxis<Index> extent = x.shape().matrix_size();
    with_precision(z.precision(), [&](auto tag) {
        using T = decltype(tag);
        WeightedAxes<T> axes{};
        Index slot = 0;
        for (int axis = 0; axis < 3; ++axis) {
            const bool weighted = weights.weights && extent[axis] > 1;
            axes.axis[axis] = {runs_along(x.shape(), axis),
                               static_cast<T>(weights.factors[axis] * weights.factors[axis]),
                               weighted ? as_device(weights.weights->slice(slot).template data<T>()) : nullptr};
            slot += extent[axis] > 1 ? 1 : 0;
        }
        difference_normal_kernel<T><<<blocks_for(x.size(), threads), threads, 0, queue_->stream()>>>(
            as_device(x.data<T>()), axes, as_device(z.data<T>()));
    });
    check_launch();
}

}  // namespace recon
