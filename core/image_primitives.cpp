#include "core/image_primitives.hpp"

#include <fmt/format.h>

#include <algorithm>

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

void ImagePrimitives::difference_normal(const DifferenceWeights& weights, ConstArrayView x, ArrayView z) const {
    if (!(x.shape() == z.shape()) || x.shape().rank() != 3 || x.address() == z.address()) {
        throw ShapeError(
            fmt::format("normal product of differences: {} to {}; expected two images [x y z] of one shape",
                        x.shape().text(), z.shape().text()));
    }
    if (weights.weights) {
        const PerAxis<Index> n = x.shape().matrix_size();
        const Index axis_count = std::count_if(n.begin(), n.end(), [](Index extent) { return extent > 1; });
        const Shape expected = x.shape().with_axis("axis", std::max<Index>(axis_count, 1));
        if (!(weights.weights->shape() == expected) || weights.weights->precision() != x.precision()) {
            throw ShapeError(fmt::format("normal product of differences: weights {}, expected {} in {} precision",
                                         weights.weights->shape().text(), expected.text(), name_of(x.precision())));
        }
    }
    do_difference_normal(weights, x, z);
}

}  // namespace recon
