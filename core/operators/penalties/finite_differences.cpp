#include "core/operators/penalties/finite_differences.hpp"

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"
#include "core/operators/penalties/edge_weights.hpp"

namespace recon {
namespace {

Shape differences_shape(const Shape& image) {
    const auto count = static_cast<Index>(axes_with_neighbours(image.matrix_size()).size());
    return image.with_axis("axis", std::max<Index>(count, 1));
}

}  // namespace

FiniteDifferences::FiniteDifferences(Backend& backend, const Shape& image_shape, const PerAxis<double>& axis_factors,
                                     Precision precision)
    : LinearOperator("finite differences", backend, image_shape, differences_shape(image_shape), precision),
      axis_factors_(axis_factors),
      axes_(axes_with_neighbours(image_shape.matrix_size())) {}

FiniteDifferences::FiniteDifferences(Backend& backend, const Shape& image_shape, const PerAxis<double>& axis_factors,
                                     Array weights)
    : FiniteDifferences(backend, image_shape, axis_factors, weights.precision()) {
    if (!(weights.shape() == codomain())) {
        throw ShapeError(name() + ": weights are " + weights.shape().text() + ", expected " + codomain().text());
    }
    weights_.emplace(std::move(weights));
}

void FiniteDifferences::do_forward(ConstArrayView x, ArrayView y) const {
    if (axes_.empty()) {
        backend().fill(0, y);
    }
    for (std::size_t slot = 0; slot < axes_.size(); ++slot) {
        const ArrayView along = y.slice(static_cast<Index>(slot));
        backend().image_primitives().difference(axes_[slot], x, along);
        if (weights_) {
            backend().multiply(Conjugate::no, weights_->slice(static_cast<Index>(slot)), along, Accumulate::no, along);
        }
        if (axis_factors_[axes_[slot]] != 1) {
            backend().scale(axis_factors_[axes_[slot]], along);
        }
    }
}

void FiniteDifferences::do_adjoint(ConstArrayView y, ArrayView x) const {
    backend().fill(0, x);
    std::optional<Array> weighted;
    for (std::size_t slot = 0; slot < axes_.size(); ++slot) {
        ConstArrayView along = y.slice(static_cast<Index>(slot));
        const double factor = axis_factors_[axes_[slot]];
        if (weights_ || factor != 1) {
            if (!weighted) {
                weighted.emplace(backend(), domain(), precision());
            }
            if (weights_) {
                backend().multiply(Conjugate::yes, weights_->slice(static_cast<Index>(slot)), along, Accumulate::no,
                                   *weighted);
            } else {
                backend().copy(along, *weighted);
            }
            backend().scale(factor, *weighted);
            along = *weighted;
        }
        backend().image_primitives().add_adjoint_difference(axes_[slot], along, x);
    }
}

void FiniteDifferences::do_normal(ConstArrayView x, ArrayView z) const {
    if (domain().rank() > 3) {  // several images
        LinearOperator::do_normal(x, z);
        return;
    }
    DifferenceWeights weights{axis_factors_, std::nullopt};
    if (weights_) {
        weights.weights = weights_->view();
    }
    backend().image_primitives().difference_normal(weights, x, z);
}

}  // namespace recon
