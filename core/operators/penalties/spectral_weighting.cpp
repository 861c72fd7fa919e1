#include "core/operators/penalties/spectral_weighting.hpp"

#include "core/backend/backend.hpp"
#include "core/backend/transfer_by_pieces.hpp"

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

SpectralWeighting::SpectralWeighting(Backend& backend, const Shape& image_shape, const FrequencyRuns& factors,
                                     Precision precision)
    : LinearOperator("spectral weighting", backend, image_shape, grid_of(image_shape), precision),
      fft_(backend.make_padded_fft(geometry_of(image_shape), precision)),
      factors_(backend, one_batch(codomain()), precision) {
    upload_by_runs(factors_, factors);
    Array squares(backend, codomain(), precision);
    const ConstArrayView of_grid = factors_.view().reshaped(codomain());
    backend.multiply(Conjugate::no, of_grid, of_grid, Accumulate::no, squares);
    backend.scale(static_cast<double>(squares.size()), squares);  // these FFTs are not scaled, the plan's is
    normal_ = backend.make_circulant(image_shape, squares, precision);
}

void SpectralWeighting::do_forward(ConstArrayView x, ArrayView y) const {
    const ArrayView grid = y.reshaped(factors_.shape());
    fft_->forward(x.reshaped(one_batch(domain())), grid);
    backend().multiply(Conjugate::no, factors_, grid, Accumulate::no, grid);
}

void SpectralWeighting::do_adjoint(ConstArrayView y, ArrayView x) const {
    Array grid(backend(), factors_.shape(), precision());
    backend().multiply(Conjugate::no, factors_, y.reshaped(factors_.shape()), Accumulate::no, grid);
    fft_->adjoint(grid, x.reshaped(one_batch(domain())));
}

}  // namespace recon
