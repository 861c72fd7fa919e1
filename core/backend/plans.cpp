#include "core/backend/plans.hpp"

#include <initializer_list>

#include "core/base/cancel.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

bool has_batch_axis(ConstArrayView image) { return image.shape().rank() == 4; }

Shape with_batch_axis(const Shape& shape, bool already) { return already ? shape : shape.with_axis("batch", 1); }

void require_precision(const char* plan, Precision precision, std::initializer_list<ConstArrayView> operands) {
    for (const ConstArrayView& operand : operands) {
        if (operand.precision() != precision) {
            throw ShapeError(std::string(plan) + ": operand " + operand.shape().text() + " is in " +
                             std::string(name_of(operand.precision())) + " precision, expected " +
                             std::string(name_of(precision)));
        }
    }
}

}  // namespace

void FourierSums::require_matching(ConstArrayView image, ConstArrayView samples) const {
    cancel_of_this_thread().check();
    const bool batched = has_batch_axis(image);
    const Shape image_shape = batched ? image.shape().without_last_axis() : image.shape();
    const Shape sample_shape = batched ? Shape::samples(sample_count_).with_axis("batch", image.shape().extent(3))
                                       : Shape::samples(sample_count_);
    if (!(image_shape == grid_.shape) || !(samples.shape() == sample_shape)) {
        throw ShapeError("Fourier sums: image is " + image.shape().text() + " and samples are " +
                         samples.shape().text() + ", expected " + grid_.shape.text() + " and " + sample_shape.text());
    }
    require_precision("Fourier sums", precision_, {image, samples});
}

void FourierSums::forward(ConstArrayView image, ArrayView samples) const {
    require_matching(image, samples);
    const bool batched = has_batch_axis(image);
    do_forward(image.reshaped(with_batch_axis(image.shape(), batched)),
               samples.reshaped(with_batch_axis(samples.shape(), batched)));
}

void FourierSums::adjoint(ConstArrayView samples, ArrayView image) const {
    require_matching(image, samples);
    const bool batched = has_batch_axis(image);
    do_adjoint(samples.reshaped(with_batch_axis(samples.shape(), batched)),
               image.reshaped(with_batch_axis(image.shape(), batched)));
}

Index GriddingPlan::matching_batch_count(ConstArrayView samples, ConstArrayView grid) const {
    const Index batch_count = grid.size() / grid_shape_.element_count();
    if (grid.size() != batch_count * grid_shape_.element_count() || samples.size() != batch_count * sample_count_) {
        throw ShapeError("gridding: samples are " + samples.shape().text() + " and the grid is " + grid.shape().text() +
                         ", expected " + std::to_string(sample_count_) + " samples and " + grid_shape_.text() +
                         " for each image");
    }
    require_precision("gridding", precision_, {samples, grid});
    return batch_count;
}

void GriddingPlan::spread(ConstArrayView samples, ArrayView grid) const {
    do_spread(matching_batch_count(samples, grid), samples, grid);
}

void GriddingPlan::interpolate(ConstArrayView grid, ArrayView samples) const {
    do_interpolate(matching_batch_count(samples, grid), grid, samples);
}

Index PaddedFftPlan::matching_batch_count(ConstArrayView image, ConstArrayView grid) const {
    const bool batched = has_batch_axis(image);
    const Index batch_count = batched ? image.shape().extent(3) : 1;
    const auto with_batch = [&](const Shape& shape) { return batched ? shape.with_axis("batch", batch_count) : shape; };
    const bool grid_fits =
        grid.shape() == with_batch(grid_shape_) || (batch_count == 1 && grid.size() == grid_shape_.element_count());
    if (!(image.shape() == with_batch(image_shape_)) || !grid_fits) {
        throw ShapeError("padded FFT: image is " + image.shape().text() + " and grid is " + grid.shape().text() +
                         ", expected " + image_shape_.text() + " and " + grid_shape_.text() +
                         ", each with the same batch axis or none");
    }
    require_precision("padded FFT", precision_, {image, grid});
    return batch_count;
}

void PaddedFftPlan::forward(ConstArrayView image, ArrayView grid) const {
    do_forward(matching_batch_count(image, grid), image, grid);
}

void PaddedFftPlan::adjoint(ArrayView grid, ArrayView image) const {
    do_adjoint(matching_batch_count(image, grid), grid, image);
}

void ToeplitzPlan::apply(ConstArrayView image, const std::optional<ConstArrayView>& coil_maps, ArrayView result,
                         Accumulate accumulate) const {
    if (!(image.shape() == image_shape_) || !(result.shape() == image_shape_)) {
        throw ShapeError("Toeplitz: image is " + image.shape().text() + " and result is " + result.shape().text() +
                         ", expected " + image_shape_.text());
    }
    if (coil_maps && (coil_maps->shape().rank() != 4 || !(coil_maps->shape().without_last_axis() == image_shape_))) {
        throw ShapeError("Toeplitz: coil maps are " + coil_maps->shape().text() + ", expected " + image_shape_.text() +
                         " and a coil axis");
    }
    if (image.address() == result.address()) {
        throw ShapeError("Toeplitz: image and result are the same array");
    }
    require_precision("Toeplitz", precision_, {image, result, coil_maps.value_or(image)});
    do_apply(image, coil_maps, result, accumulate);
}

void ToeplitzPlan::require_parts(const Shape& image_shape, ConstArrayView q, Precision precision,
                                 const std::optional<Array>& modulation) {
    const Shape differences = VoxelGrid::differences(image_shape.matrix_size()).shape;
    if (image_shape.rank() > 3 || !(q.shape() == differences)) {
        throw ShapeError("Toeplitz: Q is " + q.shape().text() + " for an image " + image_shape.text() + ", expected " +
                         differences.text());
    }
    if (modulation && (!(modulation->shape() == image_shape) || modulation->precision() != precision)) {
        throw ShapeError("Toeplitz: the modulation is " + modulation->shape().text() + " in " +
                         std::string(name_of(modulation->precision())) + " precision, expected " + image_shape.text() +
                         " in " + std::string(name_of(precision)) + " precision");
    }
}

void ToeplitzPlan::require_factors(const Shape& image_shape, ConstArrayView factors) {
    const PerAxis<Index> image = image_shape.matrix_size(), grid = factors.shape().matrix_size();
    bool fits = image_shape.rank() <= 3 && factors.shape().rank() <= 3;
    for (int axis = 0; axis < 3; ++axis) {
        fits = fits && grid[axis] >= image[axis] && (image[axis] > 1 || grid[axis] == 1) &&
               next_fft_size(grid[axis]) == grid[axis];
    }
    if (!fits) {
        throw ShapeError("circulant: factors are " + factors.shape().text() +
                         ", expected a grid of lengths 2^a 3^b 5^c that holds " + image_shape.text());
    }
}

void PositionSums::adjoint(ConstArrayView samples, ArrayView result) const {
    if (samples.size() != sample_count_ || result.size() != position_count_) {
        throw ShapeError("position sums: samples are " + samples.shape().text() + " and the result is " +
                         result.shape().text() + ", expected " + std::to_string(sample_count_) + " and " +
                         std::to_string(position_count_) + " numbers");
    }
    if (samples.precision() != precision_ || result.precision() != precision_) {
        throw ShapeError("position sums: operands are not in " + std::string(name_of(precision_)) + " precision");
    }
    do_adjoint(samples, result);
}

}  // namespace recon
