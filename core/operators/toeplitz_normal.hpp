#pragma once

#include <memory>

#include "core/backend/backend.hpp"
#include "core/operators/linear_operator.hpp"

namespace recon {

/// F^H F of one coil as an operator by itself: convolution with Q in Toeplitz form. Domain and codomain [x y z].
class ToeplitzNormal final : public LinearOperator {
public:
    /// @param q  on VoxelGrid::differences of the image
    ToeplitzNormal(Backend& backend, const Shape& image_shape, ConstArrayView q, Precision precision)
        : LinearOperator("Toeplitz", backend, image_shape, image_shape, precision),
          plan_(backend.make_toeplitz(image_shape, q, precision)) {}

private:
    void do_forward(ConstArrayView x, ArrayView y) const override { plan_->apply(x, std::nullopt, y); }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    std::unique_ptr<const ToeplitzPlan> plan_;
};

}  // namespace recon
