// Mirrors core/backend/cpu/cpu_padded_fft.cpp.
#include <algorithm>

#include "core/base/error.hpp"
#include "gpu/backend/cuda_backend.cuh"
#include "gpu/backend/cuda_plan_sizes.cuh"
#include "gpu/fft/full_grid_fft.cuh"
#include "gpu/fft/volume_passes.cuh"

namespace recon {
namespace {

/// Checks the geometry, and puts axes of grid length 1, which change nothing in memory, last.
struct PaddedFftAxes {
    explicit PaddedFftAxes(const PaddedFftGeometry& geometry) {
        const PerAxis<Index> n = geometry.image.shape.matrix_size();
        const PerAxis<Index>& g = geometry.grid_size;
        for (int axis = 0; axis < 3; ++axis) {
            if (g[axis] < n[axis] || static_cast<Index>(geometry.weight[axis].size()) != n[axis] ||
                pencil_radices(g[axis], butterfly::largest_radix<float>).empty()) {
                throw ShapeError(std::string("padded FFT, axis ") + "xyz"[axis] + ": grid size " +
                                 std::to_string(g[axis]) + " and " + std::to_string(geometry.weight[axis].size()) +
                                 " weights for " + std::to_string(n[axis]) +
                                 " voxels, expected 2^a 3^b 5^c, not less than the voxels, and a weight for each");
            }
        }
        PerAxis<int> order{0, 1, 2};
        std::stable_partition(order.begin(), order.end(), [&](int axis) { return g[axis] > 1; });
        for (int i = 0; i < 3; ++i) {
            image[i] = n[order[i]];
            grid[i] = g[order[i]];
            const Index origin = geometry.image.origin[order[i]];
            first[i] = (grid[i] - origin % grid[i]) % grid[i];
            weight[i] = &geometry.weight[order[i]];
        }
    }

    Index image_size() const { return image[0] * image[1] * image[2]; }
    Index grid_size() const { return grid[0] * grid[1] * grid[2]; }

    PerAxis<Index> image;
    PerAxis<Index> grid;
    PerAxis<Index> first;  ///< grid index of image index 0
    PerAxis<const std::vector<double>*> weight;
};

template <class T>
class CudaPaddedFft : public PaddedFftPlan {
public:
    CudaPaddedFft(CudaBackend& backend, const PaddedFftGeometry& geometry)
        : PaddedFftPlan(geometry, precision_of<T>), axes_(geometry), backend_(&backend) {
        for (int axis = 0; axis < 3; ++axis) {
            const std::vector<T> weight(axes_.weight[axis]->begin(), axes_.weight[axis]->end());
            weight_[axis] = DeviceBuffer<T>(backend.queue(), std::span<const T>(weight));
        }
    }

protected:
    using Complex = DeviceComplex<T>;

    const T* weight(int axis) const { return weight_[axis].data(); }

    PaddedFftAxes axes_;
    CudaBackend* backend_;

private:
    virtual void run_forward(Index batch, const Complex* image, Complex* grid) const = 0;
    virtual void run_adjoint(Index batch, Complex* grid, Complex* image) const = 0;

    void do_forward(Index batch_count, ConstArrayView image, ArrayView grid) const override {
        require_here(image, grid);
        run_forward(batch_count, as_device(image.data<T>()), as_device(grid.data<T>()));
    }
    void do_adjoint(Index batch_count, ArrayView grid, ArrayView image) const override {
        require_here(image, grid);
        run_adjoint(batch_count, as_device(grid.data<T>()), as_device(image.data<T>()));
    }
    void require_here(ConstArrayView image, ConstArrayView grid) const {
        backend_->require_here("image of a padded FFT", image, precision_of<T>);
        backend_->require_here("grid of a padded FFT", grid, precision_of<T>);
    }

    PerAxis<DeviceBuffer<T>> weight_;
};

/// Passes through shared memory. Forward: x from the rows that hold image, then y in the planes that do, then z
/// everywhere; the grid is never cleared, because no pass reads what no pass has written. Adjoint: the reverse.
template <class T>
class PassesPaddedFft final : public CudaPaddedFft<T> {
public:
    using Complex = DeviceComplex<T>;

    PassesPaddedFft(CudaBackend& backend, const PaddedFftGeometry& geometry)
        : CudaPaddedFft<T>(backend, geometry), passes_(backend.queue()) {
        for (int axis = 0; axis < 3; ++axis) {
            fft_.emplace_back(backend.queue(), this->axes_.grid[axis], this->axes_.image[axis],
                              this->axes_.first[axis]);
        }
    }

private:
    using Columns = typename VolumePasses<T>::Columns;

    RowsPass<T> rows() const {
        RowsPass<T> pass{};
        for (int axis = 0; axis < 3; ++axis) {
            pass.image[axis] = static_cast<int>(this->axes_.image[axis]);
            pass.first[axis] = static_cast<int>(this->axes_.first[axis]);
            pass.extent[axis] = static_cast<int>(this->axes_.grid[axis]);
            pass.weight[axis] = this->weight(axis);
        }
        return pass;
    }
    /// y, in the planes that hold image.
    Columns plane_columns(Index batch) const {
        return {this->axes_.grid[0], this->axes_.image[2], this->axes_.first[2], this->axes_.grid[2], batch};
    }
    ColumnStrides plane_strides() const {
        return {this->axes_.grid[0], this->axes_.grid[0] * this->axes_.grid[1], this->axes_.grid_size()};
    }
    /// z, everywhere.
    Columns volume_columns(Index batch) const {
        return {this->axes_.grid[0], this->axes_.grid[1], 0, this->axes_.grid[1], batch};
    }
    ColumnStrides volume_strides() const {
        return {this->axes_.grid[0] * this->axes_.grid[1], this->axes_.grid[0], this->axes_.grid_size()};
    }

    void run_forward(Index batch, const Complex* image, Complex* grid) const override {
        passes_.rows_forward(fft_[0], rows(), batch, image, this->axes_.image_size(), nullptr, grid);
        if (this->axes_.grid[1] > 1) {
            passes_.columns_forward(fft_[1], plane_columns(batch), grid, plane_strides(), grid, plane_strides());
        }
        if (this->axes_.grid[2] > 1) {
            passes_.columns_forward(fft_[2], volume_columns(batch), grid, volume_strides(), grid, volume_strides());
        }
    }

    void run_adjoint(Index batch, Complex* grid, Complex* image) const override {
        if (this->axes_.grid[2] > 1) {
            passes_.columns_inverse(fft_[2], volume_columns(batch), grid, volume_strides(), grid, volume_strides());
        }
        if (this->axes_.grid[1] > 1) {
            passes_.columns_inverse(fft_[1], plane_columns(batch), grid, plane_strides(), grid, plane_strides());
        }
        passes_.rows_inverse(fft_[0], rows(), batch, grid, nullptr, 1, false, image);
    }

    VolumePasses<T> passes_;
    std::vector<PencilFft<T>> fft_;
};

/// The whole grid by cuFFT, one image after the other.
template <class T>
class FullGridPaddedFft final : public CudaPaddedFft<T> {
public:
    using Complex = DeviceComplex<T>;

    FullGridPaddedFft(CudaBackend& backend, const PaddedFftGeometry& geometry)
        : CudaPaddedFft<T>(backend, geometry), fft_(backend.queue(), this->axes_.grid) {}

private:
    GridPlacement<T> placement() const {
        GridPlacement<T> placement{};
        for (int axis = 0; axis < 3; ++axis) {
            placement.image[axis] = static_cast<int>(this->axes_.image[axis]);
            placement.grid[axis] = static_cast<int>(this->axes_.grid[axis]);
            placement.first[axis] = static_cast<int>(this->axes_.first[axis]);
            placement.weight[axis] = this->weight(axis);
        }
        return placement;
    }

    void run_forward(Index batch, const Complex* image, Complex* grid) const override {
        for (Index b = 0; b < batch; ++b, image += this->axes_.image_size(), grid += this->axes_.grid_size()) {
            fft_.place(placement(), image, nullptr, grid);
            fft_.transform(grid, CUFFT_FORWARD);
        }
    }
    void run_adjoint(Index batch, Complex* grid, Complex* image) const override {
        for (Index b = 0; b < batch; ++b, image += this->axes_.image_size(), grid += this->axes_.grid_size()) {
            fft_.transform(grid, CUFFT_INVERSE);
            fft_.extract(placement(), grid, nullptr, false, image);
        }
    }

    FullGridFft<T> fft_;
};

}  // namespace

std::unique_ptr<PaddedFftPlan> make_cuda_padded_fft(CudaBackend& backend, const PaddedFftGeometry& geometry,
                                                    Precision precision) {
    const PaddedFftAxes axes(geometry);
    return with_precision(precision, [&](auto tag) -> std::unique_ptr<PaddedFftPlan> {
        using T = decltype(tag);
        if (VolumePasses<T>::fit(backend.queue(), axes.grid)) {
            return std::make_unique<PassesPaddedFft<T>>(backend, geometry);
        }
        return std::make_unique<FullGridPaddedFft<T>>(backend, geometry);
    });
}

PlanBytes CudaPlanSizes::padded_fft(const PerAxis<Index>& image_size, const PerAxis<Index>& grid_size,
                                    Precision precision) const {
    const bool passes =
        with_precision(precision, [&](auto tag) { return VolumePasses<decltype(tag)>::fit(*queue_, grid_size); });
    std::size_t tables = 0;
    for (int axis = 0; axis < 3; ++axis) {
        tables += image_size[axis] * sizeof(double) + grid_size[axis] * (2 * sizeof(double) + sizeof(int));
    }
    // cuFFT works beside the grid.
    const std::size_t work = passes ? 0 : Shape::image(grid_size).element_count() * complex_bytes(precision);
    return {tables, 0, work};
}

}  // namespace recon
