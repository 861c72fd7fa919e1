// Mirrors core/backend/cpu/cpu_backend.cpp.
#include "gpu/backend/cuda_backend.cuh"

#include <algorithm>

#include "core/base/error.hpp"
#include "core/fourier/nufft_design.hpp"
#include "gpu/backend/gpu_backend.hpp"
#include "gpu/device/device_complex.cuh"
#include "gpu/device/element_loop.cuh"

namespace recon {
namespace {

constexpr int threads = 256;
constexpr std::size_t most_staging_bytes = std::size_t{64} << 20;  ///< converted on the device a piece at a time

template <class From, class To>
__global__ void convert_kernel(const DeviceComplex<From>* from, DeviceComplex<To>* to, Index size) {
    for (Index i = first_element(); i < size; i += element_step()) {
        to[i] = {static_cast<To>(from[i].re), static_cast<To>(from[i].im)};
    }
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

std::size_t staging_bytes(std::size_t array_bytes, std::size_t piece_bytes) {
    const std::size_t most = std::min(most_staging_bytes, piece_bytes);
    return std::min(array_bytes, std::max(most, sizeof(cdouble)));
}

/// Calls function(offset, length) for pieces of an array whose copies in `precision` fit the staging buffer.
template <class Function>
void for_each_staged_piece(Index size, Precision precision, Index staging_bytes, Function&& function) {
    const Index piece = staging_bytes / static_cast<Index>(complex_bytes(precision));
    for (Index offset = 0; offset < size; offset += piece) {
        function(offset, std::min(piece, size - offset));
    }
}

}  // namespace

CudaBackend::CudaBackend(int ordinal) : queue_(ordinal) {}

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

void CudaBackend::upload(const void* host, Precision host_precision, ArrayView array) {
    require_here("target of an upload", array, array.precision());
    if (host_precision == array.precision()) {
        queue_.upload_bytes(host, array.address(), array.size() * complex_bytes(host_precision));
        return;
    }
    const std::size_t from_size = complex_bytes(host_precision);
    const std::size_t to_size = complex_bytes(array.precision());
    DeviceBuffer<std::byte> staging(
        queue_, static_cast<Index>(staging_bytes(array.size() * from_size, memory().piece_bytes())));
    for_each_staged_piece(array.size(), host_precision, staging.size(), [&](Index offset, Index length) {
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
    DeviceBuffer<std::byte> staging(queue_,
                                    static_cast<Index>(staging_bytes(array.size() * to_size, memory().piece_bytes())));
    for_each_staged_piece(array.size(), host_precision, staging.size(), [&](Index offset, Index length) {
        convert(queue_, static_cast<const std::byte*>(array.address()) + offset * from_size, array.precision(),
                staging.data(), host_precision, length);
        queue_.download_bytes(staging.data(), static_cast<std::byte*>(host) + offset * to_size, length * to_size);
    });
}

void CudaBackend::do_copy(ConstArrayView x, ArrayView y) {
    convert(queue_, x.address(), x.precision(), y.address(), y.precision(), y.size());
}

// Rates of an H200 in docs/benchmarks, halved for what smaller problems lose; other devices keep the proportions.
double CudaBackend::predicted_exact_seconds(const VoxelGrid& grid, Index sample_count, Index transform_count,
                                            Precision precision) const {
    const double pairs_per_second = precision == Precision::single ? 2e13 : 1.7e12;
    return static_cast<double>(grid.shape.element_count()) * static_cast<double>(sample_count) *
           static_cast<double>(transform_count) / pairs_per_second;
}
double CudaBackend::predicted_nufft_seconds(const NufftDesign& design, Index sample_count, Index transform_count,
                                            Precision precision) const {
    constexpr double plan_seconds = 5e-3;           // sizes and kernel, on the host
    constexpr double plan_seconds_a_sample = 3e-9;  // upload and sorting
    const double samples_per_second = precision == Precision::single ? 2e9 : 1e8;
    constexpr double grid_points_per_second = 2e10;
    const double grid_points = static_cast<double>(Shape::image(design.grid_size).element_count());
    const double samples = static_cast<double>(sample_count);
    return plan_seconds + samples * plan_seconds_a_sample +
           static_cast<double>(transform_count) * (samples / samples_per_second + grid_points / grid_points_per_second);
}
double CudaBackend::predicted_toeplitz_seconds(const Shape& image_shape, Index coil_count, Precision precision) const {
    constexpr double launches = 2.5e-5;
    const double voxels_per_second = precision == Precision::single ? 1.1e10 : 5.5e9;
    return launches + static_cast<double>(image_shape.element_count() * coil_count) / voxels_per_second;
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
                                                         Precision precision, std::optional<Array> modulation) {
    return make_cuda_toeplitz(*this, image_shape, q, precision, std::move(modulation));
}
std::unique_ptr<ToeplitzPlan> CudaBackend::make_circulant(const Shape& image_shape, ConstArrayView factors,
                                                          Precision precision) {
    return make_cuda_circulant(*this, image_shape, factors, precision);
}
std::unique_ptr<PositionSums> CudaBackend::make_position_sums(const Trajectory& trajectory, const Positions& positions,
                                                              Precision precision) {
    return make_cuda_position_sums(*this, trajectory, positions, precision);
}
std::unique_ptr<FourierSums> CudaBackend::make_off_resonance_sums(const Trajectory& trajectory, const VoxelGrid& grid,
                                                                  std::span<const float> sample_times_s,
                                                                  const OffResonanceMaps& maps, Precision precision) {
    return make_cuda_off_resonance_sums(*this, trajectory, grid, sample_times_s, maps, precision);
}

std::size_t CudaPlanSizes::conversion(std::size_t bytes, std::size_t piece_bytes) const {
    return staging_bytes(bytes, piece_bytes);
}

std::unique_ptr<Backend> make_cuda_backend(int ordinal) { return std::make_unique<CudaBackend>(ordinal); }

}  // namespace recon
