#pragma once

#include <memory>

#include "core/backend/plans.hpp"
#include "core/operators/circulant_filter.hpp"
#include "core/operators/linear_operator.hpp"

namespace recon {

/// W x = h F x: the DFT of an image, padded with zeros to `circulant_grid`, times a factor at each frequency. W^H W is
/// the circulant x -> crop F^H h^2 F pad x: one pair of FFTs.
class SpectralWeighting final : public LinearOperator {
public:
    /// @param factors  h, [x y z] of circulant_grid in FFT order, read as real, not negative  @throws ShapeError
    SpectralWeighting(const Shape& image_shape, Array factors);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;
    void do_normal(ConstArrayView x, ArrayView z) const override { normal_->apply(x, std::nullopt, z); }

    std::unique_ptr<const PaddedFftPlan> fft_;
    Array factors_;  ///< [x y z]
    std::unique_ptr<const ToeplitzPlan> normal_;
};

}  // namespace recon
