#include "core/image_primitives.hpp"

#include <fmt/format.h>

#include "core/error.hpp"

namespace recon {
namespace {

void require_images(int axis, ConstArrayView x, ConstArrayView y) {
    if (!(x.shape() == y.shape()) || x.shape().rank() < 3 || axis < 0 || axis > 2 || x.address() == y.address()) {
        throw ShapeError(
            fmt::format("difference of images along axis {}: {} to {}; expected two images of one shape, "
                        "and an axis from 0 to 2",
                        axis, x.shape().text(), y.shape().text()));
    }
}

}  // namespace

void ImagePrimitives::difference(int axis, ConstArrayView x, ArrayView y) const {
    require_images(axis, x, y);
    do_difference(axis, x, y);
}

void ImagePrimitives::add_adjoint_difference(int axis, ConstArrayView x, ArrayView y) const {
    require_images(axis, x, y);
    do_add_adjoint_difference(axis, x, y);
}

}  // namespace recon
