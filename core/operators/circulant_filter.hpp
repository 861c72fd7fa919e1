#pragma once

#include <memory>

#include "core/backend/plans.hpp"
#include "core/operators/linear_operator.hpp"

namespace recon {

/// Points of the grid of frequencies on which a circulant operator on images is diagonal: the matrix size, or the next
/// one with a fast FFT.
PerAxis<Index> circulant_grid(PerAxis<Index> matrix_size);

/// x -> crop F^-1 (h F pad x), F the FFT on circulant_grid: self-adjoint, and positive definite where all h are
/// positive.
class CirculantFilter final : public LinearOperator {
public:
    /// @param factors  h, [x y z] of circulant_grid in FFT order, read as real and finite  @throws ShapeError
    CirculantFilter(const Shape& image_shape, ConstArrayView factors);

    /// y = conj(d) (this of d x), or that added to it. @param d  [x y z]  @param y  neither x nor d
    void between(ConstArrayView d, ConstArrayView x, Accumulate accumulate, ArrayView y) const {
        plan_->apply(x, d.reshaped(domain().with_axis("coil", 1)), y, accumulate);
    }

private:
    void do_forward(ConstArrayView x, ArrayView y) const override { plan_->apply(x, std::nullopt, y); }
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    std::unique_ptr<const ToeplitzPlan> plan_;
};

}  // namespace recon
