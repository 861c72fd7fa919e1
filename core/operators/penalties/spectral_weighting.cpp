#include "core/operators/penalties/spectral_weighting.hpp"

#include <fmt/format.h>

#include <utility>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

Shape grid_of(const Shape& image) { return Shape::image(circulant_grid(image.matrix_size())); }

Shape one_batch(const Shape& shape) { return shape.with_axis("batch", 1); }

PaddedFftGeometry geometry_of(const Shape& image) {
    PaddedFftGeometry geometry{VoxelGrid::image(image.matrix_size()), circulant_grid(image.matrix_size()), {}};
    for (int axis = 0; axis < 3; ++axis) {
        geometry.weight[axis].assign(image.matrix_size()[axis], 1.0);
    }
    return geometry;
}

}  // namespace

SpectralWeighting::SpectralWeighting(const Shape& image_shape, Array factors)
    : LinearOperator("spectral weighting", factors.backend(), image_shape, grid_of(image_shape), factors.precision()),
      fft_(backend().make_padded_fft(geometry_of(image_shape), precision())),
      factors_(std::move(factors)) {
    if (!(factors_.shape() == codomain())) {
        throw ShapeError(
            fmt::format("{}: factors {}, expected {}", name(), factors_.shape().text(), codomain().text()));
    }
    Array squares(backend(), codomain(), precision());
    backend().multiply(Conjugate::no, factors_, factors_, Accumulate::no, squares);
    backend().scale(static_cast<double>(squares.size()), squares);  // these FFTs are not scaled, the plan's is
    normal_ = backend().make_circulant(image_shape, squares, precision());
}

void SpectralWeighting::do_forward(ConstArrayView x, ArrayView y) const {
    fft_->forward(x.reshaped(one_batch(domain())), y.reshaped(one_batch(codomain())));
    backend().multiply(Conjugate::no, factors_, y, Accumulate::no, y);
}

void SpectralWeighting::do_adjoint(ConstArrayView y, ArrayView x) const {
    Array grid(backend(), one_batch(codomain()), precision());
    backend().multiply(Conjugate::no, factors_, y, Accumulate::no, grid.view().reshaped(codomain()));
    fft_->adjoint(grid, x.reshaped(one_batch(domain())));
}

}  // namespace recon
