#include "core/backend/plans.hpp"

#include "core/base/cancel.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

bool has_batch_axis(ConstArrayView image) { return image.shape().rank() == 4; }

Shape with_batch_axis(const Shape& shape, bool already) { return already ? shape : shape.with_axis("batch", 1); }

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
    if (image.precision() != precision_ || samples.precision() != precision_) {
        throw ShapeError("Fourier sums: operands are not in " + std::string(name_of(precision_)) + " precision");
    }
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
