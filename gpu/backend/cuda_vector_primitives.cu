// Mirrors the vector primitives of core/backend/cpu/cpu_backend.cpp.
#include <algorithm>

#include "core/base/error.hpp"
#include "gpu/backend/cuda_backend.cuh"
#include "gpu/device/device_complex.cuh"
#include "gpu/device/element_loop.cuh"

namespace recon {
namespace {

constexpr int threads = 256;
constexpr int most_vectors = 4;  ///< that one kernel reads along with y, with registers for all of them

template <class T>
__global__ void fill_kernel(DeviceComplex<T> value, DeviceComplex<T>* y, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        y[i] = value;
    }
}

template <class T>
__global__ void fill_white_kernel(WhiteNoise noise, Index first, DeviceComplex<T>* y, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        const auto number = noise.number<T>(first + i);
        y[i] = {number.re, number.im};
    }
}

template <class T>
__global__ void scale_kernel(DeviceComplex<T> alpha, DeviceComplex<T>* y, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        y[i] = alpha * y[i];
    }
}

template <class T>
__global__ void axpy_kernel(DeviceComplex<T> alpha, const DeviceComplex<T>* x, DeviceComplex<T>* y, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        y[i] = multiply_add(alpha, x[i], y[i]);
    }
}

template <class T>
__global__ void axpby_kernel(DeviceComplex<T> alpha, const DeviceComplex<T>* x, DeviceComplex<T> beta,
                             DeviceComplex<T>* y, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        y[i] = alpha * x[i] + beta * y[i];
    }
}

template <class T, Conjugate conjugate, Accumulate accumulate>
__global__ void multiply_kernel(const DeviceComplex<T>* m, const DeviceComplex<T>* x, DeviceComplex<T>* y, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        const DeviceComplex<T> product = (conjugate == Conjugate::yes ? conj(m[i]) : m[i]) * x[i];
        y[i] = accumulate == Accumulate::yes ? y[i] + product : product;
    }
}

template <class T>
__global__ void divide_kernel(const DeviceComplex<T>* x, const DeviceComplex<T>* d, DeviceComplex<T>* y, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        const T divisor = d[i].re;
        y[i] = divisor > 0 ? DeviceComplex<T>{x[i].re / divisor, x[i].im / divisor} : DeviceComplex<T>{0, 0};
    }
}

template <class T>
__global__ void square_root_kernel(DeviceComplex<T>* y, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        y[i] = {y[i].re > 0 ? sqrt(y[i].re) : T{0}, 0};
    }
}

template <class T>
__global__ void mirror_kernel(const DeviceComplex<T>* half, Index first_given, DeviceComplex<T>* all, Index size) {
    for (Index i = first_element(); i < (size + 1) / 2; i += element_step()) {
        const Index opposite = size - 1 - i;
        DeviceComplex<T> value = half[opposite - first_given];
        if (i >= first_given) {
            const DeviceComplex<T> other = conj(half[i - first_given]);
            value = {(value.re + other.re) / 2, (value.im + other.im) / 2};
        }
        all[opposite] = value;
        all[i] = conj(value);
    }
}

/// Sum over the block in a fixed order; the result is in thread 0.
__device__ DeviceComplex<double> block_sum(DeviceComplex<double> value) {
    __shared__ DeviceComplex<double> of_thread[threads];
    __syncthreads();  // the sum before has been read
    of_thread[threadIdx.x] = value;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            of_thread[threadIdx.x] = of_thread[threadIdx.x] + of_thread[threadIdx.x + half];
        }
    }
    return of_thread[0];
}

/// partial[vector, block] for `count` vectors, each of which has one order of additions, whatever the count.
template <class T, int count>
__global__ void partial_dots_kernel(const DeviceComplex<T>* x, const DeviceComplex<T>* y, Index size,
                                    DeviceComplex<double>* partial) {
    DeviceComplex<double> sum[count]{};
    for (Index i = first_element(); i < size; i += element_step()) {
        const DeviceComplex<double> b{y[i].re, y[i].im};
#pragma unroll
        for (int vector = 0; vector < count; ++vector) {
            const DeviceComplex<T> a = x[vector * size + i];
            sum[vector] = sum[vector] + conj(DeviceComplex<double>{a.re, a.im}) * b;
        }
    }
#pragma unroll
    for (int vector = 0; vector < count; ++vector) {
        const DeviceComplex<double> total = block_sum(sum[vector]);
        if (threadIdx.x == 0) {
            partial[vector * gridDim.x + blockIdx.x] = total;
        }
    }
}

__global__ void finish_dots_kernel(const DeviceComplex<double>* partial, int count, DeviceComplex<double>* result) {
    DeviceComplex<double> sum{0, 0};
    for (int i = threadIdx.x; i < count; i += threads) {
        sum = sum + partial[blockIdx.x * Index{count} + i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        result[blockIdx.x] = sum;
    }
}

template <class T, int count>
__global__ void add_combination_kernel(const DeviceComplex<double>* coefficients, const DeviceComplex<T>* x,
                                       DeviceComplex<T>* y, Index size) {
    DeviceComplex<T> coefficient[count];
#pragma unroll
    for (int vector = 0; vector < count; ++vector) {
        coefficient[vector] = {static_cast<T>(coefficients[vector].re), static_cast<T>(coefficients[vector].im)};
    }
    for (Index i = first_element(); i < size; i += element_step()) {
        DeviceComplex<T> sum = y[i];
#pragma unroll
        for (int vector = 0; vector < count; ++vector) {
            sum = sum + coefficient[vector] * x[vector * size + i];
        }
        y[i] = sum;
    }
}

/// Calls function(first, count) for runs of vectors that one kernel takes, count as std::integral_constant.
template <int most = most_vectors, class Function>
void for_runs_of_vectors(Index first, Index end, Function&& function) {
    for (; end - first >= most; first += most) {
        function(first, std::integral_constant<int, most>{});
    }
    if constexpr (most > 1) {
        for_runs_of_vectors<most - 1>(first, end, function);
    }
}

/// Blocks of a dot product: a function of the size alone, so that the order of the additions is the same on every run
/// and every device.
unsigned dot_block_count(Index size) {
    constexpr Index elements_per_block = 8 * threads;
    return static_cast<unsigned>(std::clamp<Index>((size + elements_per_block - 1) / elements_per_block, 1, 1024));
}

}  // namespace

void CudaBackend::do_fill(cdouble value, ArrayView y) {
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        fill_kernel<T><<<blocks_for(y.size(), threads), threads, 0, queue_.stream()>>>(
            to_device<T>(value), as_device(y.data<T>()), y.size());
    });
    check_launch();
}

void CudaBackend::do_fill_white(const WhiteNoise& noise, Index first, ArrayView y) {
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        fill_white_kernel<T><<<blocks_for(y.size(), threads), threads, 0, queue_.stream()>>>(
            noise, first, as_device(y.data<T>()), y.size());
    });
    check_launch();
}

void CudaBackend::do_scale(cdouble alpha, ArrayView y) {
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        scale_kernel<T><<<blocks_for(y.size(), threads), threads, 0, queue_.stream()>>>(
            to_device<T>(alpha), as_device(y.data<T>()), y.size());
    });
    check_launch();
}

void CudaBackend::do_axpby(cdouble alpha, ConstArrayView x, cdouble beta, ArrayView y) {
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        const auto blocks = blocks_for(y.size(), threads);
        if (beta == 1.0) {
            axpy_kernel<T><<<blocks, threads, 0, queue_.stream()>>>(to_device<T>(alpha), as_device(x.data<T>()),
                                                                    as_device(y.data<T>()), y.size());
        } else {
            axpby_kernel<T><<<blocks, threads, 0, queue_.stream()>>>(
                to_device<T>(alpha), as_device(x.data<T>()), to_device<T>(beta), as_device(y.data<T>()), y.size());
        }
    });
    check_launch();
}

void CudaBackend::do_multiply(Conjugate conjugate, ConstArrayView m, ConstArrayView x, Accumulate accumulate,
                              ArrayView y) {
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        const auto launch = [&](auto kernel) {
            kernel<<<blocks_for(y.size(), threads), threads, 0, queue_.stream()>>>(
                as_device(m.data<T>()), as_device(x.data<T>()), as_device(y.data<T>()), y.size());
        };
        if (conjugate == Conjugate::yes) {
            launch(accumulate == Accumulate::yes ? multiply_kernel<T, Conjugate::yes, Accumulate::yes>
                                                 : multiply_kernel<T, Conjugate::yes, Accumulate::no>);
        } else {
            launch(accumulate == Accumulate::yes ? multiply_kernel<T, Conjugate::no, Accumulate::yes>
                                                 : multiply_kernel<T, Conjugate::no, Accumulate::no>);
        }
    });
    check_launch();
}

void CudaBackend::do_divide(ConstArrayView x, ConstArrayView d, ArrayView y) {
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        divide_kernel<T><<<blocks_for(y.size(), threads), threads, 0, queue_.stream()>>>(
            as_device(x.data<T>()), as_device(d.data<T>()), as_device(y.data<T>()), y.size());
    });
    check_launch();
}

void CudaBackend::do_square_root(ArrayView y) {
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        square_root_kernel<T>
            <<<blocks_for(y.size(), threads), threads, 0, queue_.stream()>>>(as_device(y.data<T>()), y.size());
    });
    check_launch();
}

void CudaBackend::do_mirror_conjugate(ConstArrayView x, ArrayView y) {
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        mirror_kernel<T><<<blocks_for((y.size() + 1) / 2, threads), threads, 0, queue_.stream()>>>(
            as_device(x.data<T>()), y.size() - x.size(), as_device(y.data<T>()), y.size());
    });
    check_launch();
}

/// Not by cuBLAS, whose single-precision dot product accumulates in single precision (cublasDotcEx likewise).
void CudaBackend::do_dots(Index count, ConstArrayView x, ConstArrayView y, ArrayView result) {
    const unsigned blocks = dot_block_count(y.size());
    DeviceBuffer<DeviceComplex<double>> partial(queue_, count * blocks);
    with_precision(x.precision(), [&](auto tag) {
        using T = decltype(tag);
        for_runs_of_vectors(0, count, [&](Index first, auto run) {
            partial_dots_kernel<T, run()><<<blocks, threads, 0, queue_.stream()>>>(
                as_device(x.data<T>()) + first * y.size(), as_device(y.data<T>()), y.size(),
                partial.data() + first * blocks);
            check_launch();
        });
    });
    finish_dots_kernel<<<static_cast<unsigned>(count), threads, 0, queue_.stream()>>>(
        partial.data(), static_cast<int>(blocks), as_device(result.data<double>()));
    check_launch();
}

void CudaBackend::do_add_combination(Index count, ConstArrayView coefficients, ConstArrayView x, ArrayView y) {
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        for_runs_of_vectors(0, count, [&](Index first, auto run) {
            add_combination_kernel<T, run()><<<blocks_for(y.size(), threads), threads, 0, queue_.stream()>>>(
                as_device(coefficients.data<double>()) + first, as_device(x.data<T>()) + first * y.size(),
                as_device(y.data<T>()), y.size());
            check_launch();
        });
    });
}

}  // namespace recon
