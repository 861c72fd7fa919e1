// Mirrors core/cpu/cpu_backend.cpp.
#include "gpu/cuda_backend.cuh"

#include <algorithm>

#include "core/error.hpp"
#include "core/operators/nufft_design.hpp"
#include "gpu/device_complex.cuh"
#include "gpu/gpu_backend.hpp"

namespace recon {
namespace {

constexpr int threads = 256;
constexpr std::size_t staging_bytes = std::size_t{64} << 20;  ///< converted on the device a piece at a time

__device__ Index first_element() { return blockIdx.x * Index{blockDim.x} + threadIdx.x; }
__device__ Index element_step() { return gridDim.x * Index{blockDim.x}; }

template <class From, class To>
__global__ void convert_kernel(const DeviceComplex<From>* from, DeviceComplex<To>* to, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        to[i] = {static_cast<To>(from[i].re), static_cast<To>(from[i].im)};
    }
}

template <class T>
__global__ void fill_kernel(DeviceComplex<T> value, DeviceComplex<T>* y, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        y[i] = value;
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

/// Sum over the block in a fixed order; the result is in thread 0.
__device__ DeviceComplex<double> block_sum(DeviceComplex<double> value) {
    __shared__ DeviceComplex<double> of_thread[threads];
    of_thread[threadIdx.x] = value;
    for (int half = threads / 2; half > 0; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half) {
            of_thread[threadIdx.x] = of_thread[threadIdx.x] + of_thread[threadIdx.x + half];
        }
    }
    return of_thread[0];
}

template <class T>
__global__ void partial_dot_kernel(const DeviceComplex<T>* x, const DeviceComplex<T>* y, Index size,
                                   DeviceComplex<double>* partial) {
    DeviceComplex<double> sum{0, 0};
    for (Index i = first_element(); i < size; i += element_step()) {
        const DeviceComplex<double> a{x[i].re, x[i].im};
        const DeviceComplex<double> b{y[i].re, y[i].im};
        sum = sum + conj(a) * b;
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        partial[blockIdx.x] = sum;
    }
}

__global__ void finish_dot_kernel(const DeviceComplex<double>* partial, int count, DeviceComplex<double>* result) {
    DeviceComplex<double> sum{0, 0};
    for (int i = threadIdx.x; i < count; i += threads) {
        sum = sum + partial[i];
    }
    sum = block_sum(sum);
    if (threadIdx.x == 0) {
        *result = sum;
    }
}

/// Blocks of a dot product: a function of the size alone, so that the order of the additions is the same on every run
/// and every device.
unsigned dot_block_count(Index size) {
    constexpr Index elements_per_block = 8 * threads;
    return static_cast<unsigned>(std::clamp<Index>((size + elements_per_block - 1) / elements_per_block, 1, 1024));
}

void convert(const CudaQueue& queue, const void* from, Precision from_precision, void* to, Precision to_precision,
             Index size) {
    if (from_precision == to_precision) {
        check(cudaMemcpyAsync(to, from, size * complex_bytes(to_precision), cudaMemcpyDeviceToDevice, queue.stream()));
        return;
    }
    const unsigned blocks = blocks_for(size, threads);
    if (from_precision == Precision::single) {
        convert_kernel<float, double><<<blocks, threads, 0, queue.stream()>>>(
            static_cast<const DeviceComplex<float>*>(from), static_cast<DeviceComplex<double>*>(to), size);
    } else {
        convert_kernel<double, float><<<blocks, threads, 0, queue.stream()>>>(
            static_cast<const DeviceComplex<double>*>(from), static_cast<DeviceComplex<float>*>(to), size);
    }
    check_launch();
}

/// Calls function(offset, length) for pieces of an array whose copies in `precision` fit the staging buffer.
template <class Function>
void for_each_staged_piece(Index size, Precision precision, Function&& function) {
    const Index piece = static_cast<Index>(staging_bytes / complex_bytes(precision));
    for (Index offset = 0; offset < size; offset += piece) {
        function(offset, std::min(piece, size - offset));
    }
}

PinnedMemory make_pinned(std::size_t bytes) {
    void* data = nullptr;
    check(cudaMallocHost(&data, bytes));
    return PinnedMemory(data);
}

}  // namespace

CudaBackend::CudaBackend(int ordinal) : queue_(ordinal), dot_result_(make_pinned(sizeof(cdouble))) {}

std::string CudaBackend::description() const {
    const cudaDeviceProp& device = queue_.properties();
    const auto tenths = [](double value) { return std::to_string(static_cast<Index>(value * 10) / 10.0).substr(0, 5); };
    return name() + ", " + device.name + ", compute capability " + std::to_string(device.major) + "." +
           std::to_string(device.minor) + ", " + std::to_string(device.multiProcessorCount) + " multiprocessors, " +
           tenths(static_cast<double>(memory_free_bytes()) / 1e9) + " of " +
           tenths(static_cast<double>(device.totalGlobalMem) / 1e9) + " GB of memory free";
}

void CudaBackend::require_here(const char* role, ConstArrayView array, Precision precision) const {
    if (&array.backend() != this) {
        throw ShapeError(name() + ": " + role + " " + array.shape().text() + " lives on " + array.backend().name());
    }
    if (array.precision() != precision) {
        throw ShapeError(name() + ": " + role + " " + array.shape().text() + " is in " +
                         std::string(name_of(array.precision())) + " precision, expected " +
                         std::string(name_of(precision)));
    }
}

void CudaBackend::require_operands(ConstArrayView x, ConstArrayView y) const {
    require_here("operand", x, x.precision());
    require_here("operand", y, y.precision());
    if (!(x.shape() == y.shape())) {
        throw ShapeError(name() + ": operands of a vector operation are " + x.shape().text() + " and " +
                         y.shape().text());
    }
}

void CudaBackend::upload(const void* host, Precision host_precision, ArrayView array) {
    require_here("target of an upload", array, array.precision());
    if (host_precision == array.precision()) {
        queue_.upload_bytes(host, array.address(), array.size() * complex_bytes(host_precision));
        return;
    }
    const std::size_t from_size = complex_bytes(host_precision);
    const std::size_t to_size = complex_bytes(array.precision());
    DeviceBuffer<std::byte> staging(queue_, std::min<Index>(staging_bytes, array.size() * from_size));
    for_each_staged_piece(array.size(), host_precision, [&](Index offset, Index length) {
        queue_.upload_bytes(static_cast<const std::byte*>(host) + offset * from_size, staging.data(),
                            length * from_size);
        convert(queue_, staging.data(), host_precision, static_cast<std::byte*>(array.address()) + offset * to_size,
                array.precision(), length);
    });
}

void CudaBackend::download(ConstArrayView array, void* host, Precision host_precision) {
    require_here("source of a download", array, array.precision());
    if (host_precision == array.precision()) {
        queue_.download_bytes(array.address(), host, array.size() * complex_bytes(host_precision));
        return;
    }
    const std::size_t from_size = complex_bytes(array.precision());
    const std::size_t to_size = complex_bytes(host_precision);
    DeviceBuffer<std::byte> staging(queue_, std::min<Index>(staging_bytes, array.size() * to_size));
    for_each_staged_piece(array.size(), host_precision, [&](Index offset, Index length) {
        convert(queue_, static_cast<const std::byte*>(array.address()) + offset * from_size, array.precision(),
                staging.data(), host_precision, length);
        queue_.download_bytes(staging.data(), static_cast<std::byte*>(host) + offset * to_size, length * to_size);
    });
}

void CudaBackend::fill(cdouble value, ArrayView y) {
    require_here("operand", y, y.precision());
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        fill_kernel<T><<<blocks_for(y.size(), threads), threads, 0, queue_.stream()>>>(
            to_device<T>(value), as_device(y.data<T>()), y.size());
    });
    check_launch();
}

void CudaBackend::copy(ConstArrayView x, ArrayView y) {
    require_operands(x, y);
    convert(queue_, x.address(), x.precision(), y.address(), y.precision(), y.size());
}

void CudaBackend::scale(cdouble alpha, ArrayView y) {
    require_here("operand", y, y.precision());
    if (y.precision() == Precision::single) {
        const cuComplex a{static_cast<float>(alpha.real()), static_cast<float>(alpha.imag())};
        check(cublasCscal_v2_64(queue_.blas(), y.size(), &a, reinterpret_cast<cuComplex*>(y.data<float>()), 1));
    } else {
        const cuDoubleComplex a{alpha.real(), alpha.imag()};
        check(cublasZscal_v2_64(queue_.blas(), y.size(), &a, reinterpret_cast<cuDoubleComplex*>(y.data<double>()), 1));
    }
}

/// cuBLAS adds to y as it is; with a factor on y it would need a second pass over memory, so that case is our own.
void CudaBackend::axpby(cdouble alpha, ConstArrayView x, cdouble beta, ArrayView y) {
    require_operands(x, y);
    if (beta == 1.0 && y.precision() == Precision::single) {
        const cuComplex a{static_cast<float>(alpha.real()), static_cast<float>(alpha.imag())};
        check(cublasCaxpy_v2_64(queue_.blas(), y.size(), &a, reinterpret_cast<const cuComplex*>(x.data<float>()), 1,
                                reinterpret_cast<cuComplex*>(y.data<float>()), 1));
        return;
    }
    if (beta == 1.0) {
        const cuDoubleComplex a{alpha.real(), alpha.imag()};
        check(cublasZaxpy_v2_64(queue_.blas(), y.size(), &a, reinterpret_cast<const cuDoubleComplex*>(x.data<double>()),
                                1, reinterpret_cast<cuDoubleComplex*>(y.data<double>()), 1));
        return;
    }
    with_precision(y.precision(), [&](auto tag) {
        using T = decltype(tag);
        axpby_kernel<T><<<blocks_for(y.size(), threads), threads, 0, queue_.stream()>>>(
            to_device<T>(alpha), as_device(x.data<T>()), to_device<T>(beta), as_device(y.data<T>()), y.size());
    });
    check_launch();
}

void CudaBackend::multiply(Conjugate conjugate, ConstArrayView m, ConstArrayView x, Accumulate accumulate,
                           ArrayView y) {
    require_operands(m, x);
    require_operands(x, y);
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

/// Not by cuBLAS, whose single-precision dot product accumulates in single precision (cublasDotcEx likewise).
cdouble CudaBackend::dot(ConstArrayView x, ConstArrayView y) {
    require_operands(x, y);
    const unsigned blocks = dot_block_count(x.size());
    DeviceBuffer<DeviceComplex<double>> partial(queue_, blocks);
    with_precision(x.precision(), [&](auto tag) {
        using T = decltype(tag);
        partial_dot_kernel<T><<<blocks, threads, 0, queue_.stream()>>>(as_device(x.data<T>()), as_device(y.data<T>()),
                                                                       x.size(), partial.data());
    });
    check_launch();
    auto* result = static_cast<DeviceComplex<double>*>(dot_result_.get());
    finish_dot_kernel<<<1, threads, 0, queue_.stream()>>>(partial.data(), static_cast<int>(blocks), result);
    check_launch();
    synchronize();
    return {result->re, result->im};
}

// Rates of an H200 in docs/benchmarks, halved for what smaller problems lose; other devices keep the proportions.
double CudaBackend::predicted_exact_seconds(const VoxelGrid& grid, Index sample_count, Index transform_count,
                                            Precision precision) const {
    const double pairs_per_second = precision == Precision::single ? 2e13 : 1.7e12;
    return static_cast<double>(grid.shape.element_count()) * static_cast<double>(sample_count) *
           static_cast<double>(transform_count) / pairs_per_second;
}
double CudaBackend::predicted_nufft_seconds(const VoxelGrid& grid, Index sample_count, Index transform_count,
                                            Precision precision, double tolerance) const {
    // Samples are sorted on the host: most of the time of a plan.
    constexpr double plan_seconds_a_sample = 4e-8;
    const double samples_per_second = precision == Precision::single ? 5e8 : 1e8;
    constexpr double grid_points_per_second = 2e10;
    const NufftDesign design = NufftDesign::best(grid, sample_count, tolerance, precision);
    const double grid_points = static_cast<double>(Shape::image(design.grid_size).element_count());
    const double samples = static_cast<double>(sample_count);
    return samples * plan_seconds_a_sample +
           static_cast<double>(transform_count) * (samples / samples_per_second + grid_points / grid_points_per_second);
}

std::unique_ptr<FourierSums> CudaBackend::make_exact_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                          Precision precision) {
    return make_cuda_exact_sums(*this, trajectory, grid, precision);
}
std::unique_ptr<GriddingPlan> CudaBackend::make_gridding(const Trajectory& trajectory, const GriddingGeometry& geometry,
                                                         Precision precision) {
    return make_cuda_gridding(*this, trajectory, geometry, precision);
}
std::unique_ptr<PaddedFftPlan> CudaBackend::make_padded_fft(const PaddedFftGeometry& geometry, Precision precision) {
    return make_cuda_padded_fft(*this, geometry, precision);
}
std::unique_ptr<ToeplitzPlan> CudaBackend::make_toeplitz(const Shape& image_shape, ConstArrayView q,
                                                         Precision precision) {
    return make_cuda_toeplitz(*this, image_shape, q, precision);
}

std::unique_ptr<Backend> make_cuda_backend(int ordinal) { return std::make_unique<CudaBackend>(ordinal); }

}  // namespace recon
