#include "core/operators/circulant_filter.hpp"

#include <fmt/format.h>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"
#include "core/fourier/gridding_kernel.hpp"

namespace recon {

PerAxis<Index> circulant_grid(PerAxis<Index> matrix_size) {
    PerAxis<Index> grid{};
    for (int axis = 0; axis < 3; ++axis) {
        grid[axis] = matrix_size[axis] == 1 ? 1 : next_fft_size(matrix_size[axis]);
    }
    return grid;
}

CirculantFilter::CirculantFilter(const Shape& image_shape, ConstArrayView factors)
    : LinearOperator("circulant filter", factors.backend(), image_shape, image_shape, factors.precision()) {
    const Shape grid = Shape::image(circulant_grid(image_shape.matrix_size()));
    if (!(factors.shape() == grid)) {
        throw ShapeError(fmt::format("{}: factors {}, expected {}", name(), factors.shape().text(), grid.text()));
    }
    plan_ = backend().make_circulant(image_shape, factors, precision());
}

}  // namespace recon
