#include "core/operators/circulant_filter.hpp"

#include <atomic>
#include <cmath>
#include <string>

#include "core/backend/backend.hpp"
#include "core/backend/transfer_by_pieces.hpp"
#include "core/base/error.hpp"
#include "core/fourier/gridding_kernel.hpp"
#include "core/fourier/voxel_grid.hpp"

namespace recon {

PerAxis<Index> circulant_grid(PerAxis<Index> matrix_size) {
    PerAxis<Index> grid{};
    for (int axis = 0; axis < 3; ++axis) {
        grid[axis] = matrix_size[axis] == 1 ? 1 : next_fft_size(matrix_size[axis]);
    }
    return grid;
}

CirculantFilter::CirculantFilter(Backend& backend, const Shape& image_shape, const FrequencyRuns& factors,
                                 Precision precision)
    : LinearOperator("circulant filter", backend, image_shape, image_shape, precision),
      factors_(backend, Shape::image(circulant_grid(image_shape.matrix_size())).with_axis("batch", 1), precision) {
    const PerAxis<Index> matrix_size = image_shape.matrix_size();
    PaddedFftGeometry geometry{VoxelGrid::image(matrix_size), circulant_grid(matrix_size), {}};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.weight[axis].assign(matrix_size[axis], 1.0);
    }
    fft_ = backend.make_padded_fft(geometry, precision);
    const auto count = static_cast<double>(listed_size(factors_));
    std::atomic<bool> is_positive = true;
    upload_by_runs(factors_, [&](Index first, std::span<double> values) {
        factors(first, values);
        bool positive = true;
        for (double& value : values) {
            positive = positive && value > 0 && std::isfinite(value);
            value /= count;
        }
        if (!positive) {
            is_positive.store(false, std::memory_order_relaxed);
        }
    });
    if (!is_positive) {
        throw ShapeError(name() + ": expected " + std::to_string(factors_.size()) + " positive, finite factors");
    }
}

void CirculantFilter::do_forward(ConstArrayView x, ArrayView y) const {
    Array grid(backend(), factors_.shape(), precision());
    fft_->forward(x.reshaped(domain().with_axis("batch", 1)), grid);
    backend().multiply(Conjugate::no, factors_, grid, Accumulate::no, grid);
    fft_->adjoint(grid, y.reshaped(domain().with_axis("batch", 1)));
}

}  // namespace recon
