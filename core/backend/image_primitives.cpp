#include "core/backend/image_primitives.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/backend/coil_matrices.hpp"
#include "core/base/error.hpp"

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

void ImagePrimitives::pick(const PerAxis<std::vector<Index>>& places, ConstArrayView x, ArrayView y) const {
    bool fits =
        x.shape().rank() == 3 && y.shape().rank() == 3 && x.precision() == y.precision() && x.address() != y.address();
    for (int axis = 0; fits && axis < 3; ++axis) {
        fits = std::ssize(places[axis]) == y.shape().extent(axis) &&
               std::ranges::all_of(places[axis],
                                   [&](Index place) { return place >= 0 && place < x.shape().extent(axis); });
    }
    if (!fits) {
        throw ShapeError(fmt::format("picking voxels of {} for {}, by {} x {} x {} places: they do not fit",
                                     x.shape().text(), y.shape().text(), places[0].size(), places[1].size(),
                                     places[2].size()));
    }
    do_pick(places, x, y);
}

void ImagePrimitives::smooth(int axis, std::span<const double> weights, ConstArrayView x, ArrayView y) const {
    require_images(axis, x, y);
    if (weights.empty() || weights.size() > most_weights || !(weights.front() > 0) ||
        std::any_of(weights.begin(), weights.end(), [](double weight) { return !(weight >= 0); })) {
        throw ShapeError(fmt::format("smoothing: {} weights; expected 1 to {}, none negative, the first positive",
                                     weights.size(), most_weights));
    }
    do_smooth(axis, weights, x, y);
}

void ImagePrimitives::joint_magnitudes(ConstArrayView z, ArrayView m) const {
    if (z.size() % m.size() != 0 || z.precision() != m.precision()) {
        throw ShapeError(fmt::format("joint magnitudes: {} to {}; expected a whole number of arrays like the second",
                                     z.shape().text(), m.shape().text()));
    }
    do_joint_magnitudes(z, m);
}

void ImagePrimitives::soft_threshold(double threshold, Index joint_count, ArrayView z) const {
    if (joint_count < 1 || z.size() % joint_count != 0 || !(threshold >= 0)) {
        throw ShapeError(
            fmt::format("soft threshold {}: {} in {} parts; expected whole ones, and no negative threshold", threshold,
                        z.shape().text(), joint_count));
    }
    do_soft_threshold(threshold, joint_count, z);
}

void ImagePrimitives::wavelet_step(const WaveletStep& step, ConstArrayView x, ArrayView y) const {
    require_images(step.axis, x, y);
    const PerAxis<Index> matrix_size = x.shape().matrix_size();
    bool fits = step.box[step.axis] >= 2 && step.shift >= 0 && step.shift < step.box[step.axis];
    for (int axis = 0; axis < 3; ++axis) {
        fits = fits && step.box[axis] >= 1 && step.box[axis] <= matrix_size[axis];
    }
    if (!fits) {
        throw ShapeError(fmt::format("wavelet step along axis {}, shift {}: box {} of {}", step.axis, step.shift,
                                     Shape::image(step.box).text(), x.shape().text()));
    }
    do_wavelet_step(step, x, y);
}

void ImagePrimitives::shrink_singular_values(double threshold, const BlockGrid& blocks, ConstArrayView x, ArrayView y,
                                             ArrayView block_norms) const {
    bool fits = x.shape() == y.shape() && x.address() != y.address() && x.precision() == y.precision() &&
                x.shape().rank() == 4 && x.shape().matrix_size() == blocks.matrix_size && threshold >= 0;
    for (int axis = 0; axis < 3; ++axis) {
        fits = fits && blocks.block_size[axis] >= 1 && blocks.shift[axis] >= 0 &&
               blocks.shift[axis] < blocks.block_size[axis];
    }
    if (!fits || block_norms.size() != blocks.count() || block_norms.precision() != Precision::double_) {
        throw ShapeError(fmt::format("singular values of blocks {} of {}: {} to {}, norms {}; expected [x y z frame]",
                                     Shape::image(blocks.block_size).text(), Shape::image(blocks.matrix_size).text(),
                                     x.shape().text(), y.shape().text(), block_norms.shape().text()));
    }
    do_shrink_singular_values(threshold, blocks, x, y, block_norms);
}

void ImagePrimitives::dominant_eigenvectors(const CoilMatrices& matrices, Index first_coil, Index first_plane,
                                            ArrayView vectors, ArrayView found) const {
    const Index coil_count = matrices.field.coil_count;
    PerAxis<Index> size = matrices.matrix_size;
    size[2] = found.shape().rank() == 3 ? found.shape().extent(2) : 0;
    const Index stored_count = vectors.size() / std::max<Index>(found.size(), 1);
    const bool fits =
        found.shape() == Shape::image(size) && first_plane >= 0 && first_plane + size[2] <= matrices.matrix_size[2] &&
        vectors.shape() == found.shape().with_axis("coil", stored_count) && found.precision() == Precision::single &&
        vectors.precision() == Precision::single && first_coil >= 0 && first_coil + stored_count <= coil_count &&
        matrices.images.component_count() == coil_count && std::ssize(matrices.reference) == coil_count;
    if (!fits) {
        throw ShapeError(fmt::format(
            "eigenvectors of {} coils on {}: {} images, {} of the reference; from coil {} and plane {} on to {} and "
            "{}; expected planes [x y z coil] and [x y z] in single precision",
            coil_count, Shape::image(matrices.matrix_size).text(), matrices.images.component_count(),
            matrices.reference.size(), first_coil, first_plane, vectors.shape().text(), found.shape().text()));
    }
    do_dominant_eigenvectors(matrices, first_coil, first_plane, vectors, found);
}

}  // namespace recon
