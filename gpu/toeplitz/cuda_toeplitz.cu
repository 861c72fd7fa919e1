// Mirrors core/backend/cpu/cpu_toeplitz.cpp.
#include <algorithm>
#include <cmath>

#include "core/base/error.hpp"
#include "gpu/backend/cuda_backend.cuh"
#include "gpu/backend/cuda_plan_sizes.cuh"
#include "gpu/fft/full_grid_fft.cuh"
#include "gpu/fft/volume_passes.cuh"
#include "gpu/toeplitz/gpu_toeplitz.hpp"
#include "gpu/toeplitz/toeplitz_embedding.cuh"

namespace recon {
namespace {

/// Coils go through the passes together as long as their intermediate numbers stay below this; where those along y and
/// z are more than this, these passes are done in slabs.
constexpr Index batch_bytes = Index{1} << 30;
constexpr int threads = 256;

template <class From, class T>
__global__ void real_part_kernel(const DeviceComplex<From>* transform, double scale, T* spectrum, Index size) {
    for (Index i = blockIdx.x * Index{blockDim.x} + threadIdx.x; i < size; i += gridDim.x * Index{blockDim.x}) {
        spectrum[i] = static_cast<T>(transform[i].re * scale);
    }
}

/// What the passes multiply by: real parts, 1 / (L0 L1 L2) included.
/// @param transform  of the grid, in FFT order
template <class T>
DeviceBuffer<T> spectrum_of(CudaBackend& backend, const Embedding& embedding, ConstArrayView transform) {
    DeviceBuffer<T> spectrum(backend.queue(), embedding.grid_size());
    const double scale = 1.0 / static_cast<double>(embedding.grid_size());
    with_precision(transform.precision(), [&](auto tag) {
        using From = decltype(tag);
        real_part_kernel<From, T><<<blocks_for(spectrum.size(), threads), threads, 0, backend.queue().stream()>>>(
            as_device(transform.template data<From>()), scale, spectrum.data(), spectrum.size());
    });
    check_launch();
    return spectrum;
}

/// That of the convolution with Q, transformed in the precision of `q`. It is real, because Q is Hermitian: Q(-x) =
/// conj(Q(x)).
template <class T>
DeviceBuffer<T> spectrum_of_q(CudaBackend& backend, const Embedding& embedding, ConstArrayView q) {
    PaddedFftGeometry geometry{VoxelGrid::differences(embedding.image), embedding.grid, {}};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.weight[axis].assign(2 * embedding.image[axis] - 1, 1.0);
    }
    const auto fft = make_cuda_padded_fft(backend, geometry, q.precision());
    Array transform(backend, Shape::image(embedding.grid), q.precision());
    fft->forward(q.reshaped(geometry.image.shape), transform);
    if (!std::isfinite(backend.dot(transform, transform).real())) {
        throw InputError(
            "the Toeplitz kernel Q is not finite; check trajectory and weights of the scan for extreme "
            "values");
    }
    return spectrum_of<T>(backend, embedding, transform);
}

template <class T>
class CudaToeplitz : public ToeplitzPlan {
public:
    /// @param spectrum  of the embedding
    CudaToeplitz(CudaBackend& backend, const Shape& image_shape, const Embedding& embedding, DeviceBuffer<T> spectrum,
                 std::optional<Array> modulation)
        : ToeplitzPlan(image_shape, precision_of<T>),
          backend_(&backend),
          modulation_(std::move(modulation)),
          embedding_(embedding),
          spectrum_(std::move(spectrum)) {}

protected:
    using Complex = DeviceComplex<T>;

    /// D, or null for 1
    const Complex* modulation() const { return modulation_ ? as_device(modulation_->view().data<T>()) : nullptr; }

    CudaBackend* backend_;
    std::optional<Array> modulation_;
    Embedding embedding_;
    DeviceBuffer<T> spectrum_;

private:
    virtual void run(const Complex* image, const Complex* coil_maps, Index coil_count, bool adds,
                     Complex* result) const = 0;

    void do_apply(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps, ArrayView result,
                  Accumulate accumulate) const override {
        backend_->require_here("Toeplitz image", image, precision_of<T>);
        backend_->require_here("Toeplitz result", result, precision_of<T>);
        if (coil_maps) {
            backend_->require_here("Toeplitz coil maps", *coil_maps, precision_of<T>);
        }
        run(as_device(image.data<T>()), coil_maps ? as_device(coil_maps->data<T>()) : nullptr,
            coil_maps ? coil_maps->shape().extent(3) : 1, accumulate == Accumulate::yes, as_device(result.data<T>()));
    }
};

/// Passes through shared memory, none of which touches a known zero:
///
///     x    read the image, multiply by S_c and D, transform                  -> rows [Lx Ny Nz coil]
///     then for each slab of x frequencies, all of them where memory allows:
///          y    transform                                                    rows -> slab [s Ly Nz coil]
///          z    transform, multiply by the spectrum, transform back          slab
///          y    transform back                                               slab -> rows
///     x    transform back, multiply by conj(S_c D), add up the coils         rows -> result
///
/// With two axes the second is convolved in place in `rows`.
template <class T>
class PassesToeplitz final : public CudaToeplitz<T> {
public:
    using Complex = DeviceComplex<T>;

    PassesToeplitz(CudaBackend& backend, const Shape& image_shape, const Embedding& embedding, DeviceBuffer<T> spectrum,
                   std::optional<Array> modulation, Index slab_bytes)
        : CudaToeplitz<T>(backend, image_shape, embedding, std::move(spectrum), std::move(modulation)),
          passes_(backend.queue()),
          slab_bytes_(slab_bytes) {
        for (int axis = 0; axis < 3; ++axis) {
            fft_.emplace_back(backend.queue(), length(axis), extent(axis), 0);
        }
    }

private:
    using Columns = typename VolumePasses<T>::Columns;

    Index extent(int axis) const { return this->embedding_.image[axis]; }
    Index length(int axis) const { return this->embedding_.grid[axis]; }
    bool has_planes() const { return length(2) > 1; }
    /// Complex numbers between the x passes and the others, of one coil.
    Index rows_size() const { return length(0) * extent(1) * extent(2); }
    /// Complex numbers of one x frequency between the passes along y and z.
    Index slab_column_size() const { return length(1) * extent(2); }

    RowsPass<T> rows() const {
        RowsPass<T> pass{};
        for (int axis = 0; axis < 3; ++axis) {
            pass.image[axis] = static_cast<int>(extent(axis));
            pass.extent[axis] = static_cast<int>(axis == 0 ? length(0) : extent(axis));
        }
        pass.modulation = this->modulation();
        return pass;
    }

    void run(const Complex* image, const Complex* coil_maps, Index coil_count, bool adds,
             Complex* result) const override {
        const SlabPieces pieces = this->pieces(coil_count);
        DeviceBuffer<Complex> row_numbers(this->backend_->queue(), pieces.coils * rows_size());
        for (Index first = 0; first < coil_count; first += pieces.coils) {
            const Index count = std::min(pieces.coils, coil_count - first);
            const Complex* maps = coil_maps ? coil_maps + first * this->embedding_.image_size() : nullptr;
            passes_.rows_forward(fft_[0], rows(), count, image, 0, maps, row_numbers.data());
            if (has_planes()) {
                convolve_slabs(pieces, count, row_numbers.data());
            } else {
                convolve_columns(count, row_numbers.data());
            }
            passes_.rows_inverse(fft_[0], rows(), 1, row_numbers.data(), maps, static_cast<int>(count),
                                 adds || first > 0, result);
        }
    }

    void convolve_columns(Index coil_count, Complex* row_numbers) const {
        passes_.columns_convolve(fft_[1], Columns{length(0), 1, 0, 1, coil_count}, row_numbers,
                                 ColumnStrides{length(0), 0, rows_size()}, this->spectrum_.data(),
                                 ColumnStrides{length(0), 0, 0});
    }

    SlabPieces pieces(Index coil_count) const {
        const auto piece_bytes = static_cast<Index>(std::min<std::size_t>(batch_bytes, memory().piece_bytes()));
        return {this->embedding_, coil_count, sizeof(Complex), piece_bytes,
                slab_bytes_ > 0 ? slab_bytes_ : piece_bytes};
    }
    const MemoryBudget& memory() const { return this->backend_->queue().memory(); }

    void convolve_slabs(const SlabPieces& pieces, Index coil_count, Complex* row_numbers) const {
        const Index width = pieces.slab_width;
        const Index batch = std::min(pieces.slab_coils, coil_count);
        DeviceBuffer<Complex> slab(this->backend_->queue(), batch * width * slab_column_size());
        for (Index x = 0; x < length(0); x += width) {
            const Index columns = std::min(width, length(0) - x);
            for (Index first = 0; first < coil_count; first += batch) {
                convolve_slab(x, columns, std::min(batch, coil_count - first), row_numbers + first * rows_size(),
                              slab.data());
            }
        }
    }

    void convolve_slab(Index x, Index width, Index coil_count, Complex* row_numbers, Complex* slab) const {
        const ColumnStrides in_rows{length(0), length(0) * extent(1), rows_size()};
        const Index slab_size = width * slab_column_size();
        const ColumnStrides y_in_slab{width, width * length(1), slab_size};
        const ColumnStrides z_in_slab{width * length(1), width, slab_size};
        const Columns along_y{width, extent(2), 0, extent(2), coil_count};
        const Columns along_z{width, length(1), 0, length(1), coil_count};
        passes_.columns_forward(fft_[1], along_y, row_numbers + x, in_rows, slab, y_in_slab);
        passes_.columns_convolve(fft_[2], along_z, slab, z_in_slab, this->spectrum_.data() + x,
                                 ColumnStrides{length(0) * length(1), length(0), 0});
        passes_.columns_inverse(fft_[1], along_y, slab, y_in_slab, row_numbers + x, in_rows);
    }

    VolumePasses<T> passes_;
    std::vector<PencilFft<T>> fft_;
    Index slab_bytes_;  ///< 0: as memory allows
};

/// The whole grid by cuFFT, one coil after the other: for axes too long for shared memory, and for comparison.
template <class T>
class FullGridToeplitz final : public CudaToeplitz<T> {
public:
    using Complex = DeviceComplex<T>;

    FullGridToeplitz(CudaBackend& backend, const Shape& image_shape, const Embedding& embedding,
                     DeviceBuffer<T> spectrum, std::optional<Array> modulation)
        : CudaToeplitz<T>(backend, image_shape, embedding, std::move(spectrum), std::move(modulation)),
          fft_(backend.queue(), this->embedding_.grid) {}

private:
    void run(const Complex* image, const Complex* coil_maps, Index coil_count, bool adds,
             Complex* result) const override {
        GridPlacement<T> placement{};
        for (int axis = 0; axis < 3; ++axis) {
            placement.image[axis] = static_cast<int>(this->embedding_.image[axis]);
            placement.grid[axis] = static_cast<int>(this->embedding_.grid[axis]);
        }
        placement.modulation = this->modulation();
        DeviceBuffer<Complex> grid(this->backend_->queue(), fft_.grid_size());
        for (Index coil = 0; coil < coil_count; ++coil) {
            const Complex* map = coil_maps ? coil_maps + coil * this->embedding_.image_size() : nullptr;
            fft_.place(placement, image, map, grid.data());
            fft_.transform(grid.data(), CUFFT_FORWARD);
            fft_.multiply(this->spectrum_.data(), grid.data());
            fft_.transform(grid.data(), CUFFT_INVERSE);
            fft_.extract(placement, grid.data(), map, adds || coil > 0, result);
        }
    }

    FullGridFft<T> fft_;
};

std::size_t running_bytes(const CudaQueue& queue, const Embedding& embedding, Index coil_count, Precision precision,
                          std::size_t piece_bytes) {
    const bool passes =
        with_precision(precision, [&](auto tag) { return VolumePasses<decltype(tag)>::fit(queue, embedding.grid); });
    const auto most_bytes = static_cast<Index>(std::min<std::size_t>(batch_bytes, piece_bytes));
    const SlabPieces pieces(embedding, coil_count, static_cast<Index>(complex_bytes(precision)), most_bytes,
                            most_bytes);
    return passes ? static_cast<std::size_t>(pieces.bytes)
                  : 2 * embedding.grid_size() * complex_bytes(precision);  // cuFFT works beside the grid
}

template <class T>
std::unique_ptr<ToeplitzPlan> make_plan(CudaBackend& backend, const Shape& image_shape, const Embedding& embedding,
                                        DeviceBuffer<T> spectrum, const GpuToeplitzOptions& options,
                                        std::optional<Array> modulation) {
    if (!options.full_grid && VolumePasses<T>::fit(backend.queue(), embedding.grid)) {
        return std::make_unique<PassesToeplitz<T>>(backend, image_shape, embedding, std::move(spectrum),
                                                   std::move(modulation), options.slab_bytes);
    }
    return std::make_unique<FullGridToeplitz<T>>(backend, image_shape, embedding, std::move(spectrum),
                                                 std::move(modulation));
}

}  // namespace

std::unique_ptr<ToeplitzPlan> make_cuda_toeplitz(Backend& any, const Shape& image_shape, ConstArrayView q,
                                                 Precision precision, const GpuToeplitzOptions& options,
                                                 std::optional<Array> modulation) {
    auto* backend = dynamic_cast<CudaBackend*>(&any);
    if (!backend) {
        throw BackendUnavailable("Toeplitz on the GPU was asked for on backend " + any.name());
    }
    ToeplitzPlan::require_parts(image_shape, q, precision, modulation);
    backend->require_here("Toeplitz kernel Q", q, q.precision());
    if (modulation) {
        backend->require_here("Toeplitz modulation", *modulation, precision);
    }
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<ToeplitzPlan> {
        using T = decltype(tag);
        const Embedding embedding(image_shape);
        return make_plan<T>(*backend, image_shape, embedding, spectrum_of_q<T>(*backend, embedding, q), options,
                            std::move(modulation));
    });
}

std::unique_ptr<ToeplitzPlan> make_cuda_circulant(CudaBackend& backend, const Shape& image_shape,
                                                  ConstArrayView factors, Precision precision) {
    ToeplitzPlan::require_factors(image_shape, factors);
    backend.require_here("factors of frequencies", factors, factors.precision());
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<ToeplitzPlan> {
        using T = decltype(tag);
        const Embedding embedding(image_shape, factors.shape().matrix_size());
        return make_plan<T>(backend, image_shape, embedding, spectrum_of<T>(backend, embedding, factors), {},
                            std::nullopt);
    });
}

std::unique_ptr<ToeplitzPlan> make_cuda_toeplitz(CudaBackend& backend, const Shape& image_shape, ConstArrayView q,
                                                 Precision precision, std::optional<Array> modulation) {
    return make_cuda_toeplitz(backend, image_shape, q, precision, GpuToeplitzOptions{}, std::move(modulation));
}

PlanBytes CudaPlanSizes::toeplitz(const Shape& image_shape, Index coil_count, Precision precision,
                                  Precision q_precision, std::size_t piece_bytes, Index plan_count) const {
    const Embedding embedding(image_shape);
    const PlanBytes fft =
        padded_fft(VoxelGrid::differences(embedding.image).shape.matrix_size(), embedding.grid, q_precision);
    const std::size_t spectrum = embedding.grid_size() * complex_bytes(precision) / 2;
    return {static_cast<std::size_t>(plan_count) * (spectrum + fft.held),
            embedding.grid_size() * complex_bytes(q_precision) + fft.running,
            running_bytes(*queue_, embedding, coil_count, precision, piece_bytes)};
}

PlanBytes CudaPlanSizes::circulant(const Shape& image_shape, const PerAxis<Index>& grid_size, Precision precision,
                                   std::size_t piece_bytes, Index plan_count) const {
    const Embedding embedding(image_shape, grid_size);
    const std::size_t tables = padded_fft(embedding.image, embedding.grid, precision).held;
    const std::size_t spectrum = embedding.grid_size() * complex_bytes(precision) / 2;
    return {static_cast<std::size_t>(plan_count) * (spectrum + tables), 0,
            running_bytes(*queue_, embedding, 1, precision, piece_bytes)};
}

}  // namespace recon
