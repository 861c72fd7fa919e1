#pragma once

#include <memory>
#include <vector>

#include "core/backend/plans.hpp"
#include "core/operators/linear_operator.hpp"

namespace recon {

/// W x = h F x: the DFT of an image, padded with zeros to `circulant_grid`, times a factor at each frequency. W^H W is
/// the circulant x -> crop F^H h^2 F pad x: one pair of FFTs.
class SpectralWeighting final : public LinearOperator {
public:
    /// @param factors  h, [x y z] of circulant_grid in FFT order, not negative
    /// @throws ShapeError unless there are as many as the grid has points
    SpectralWeighting(Backend& backend, const Shape& image_shape, const std::vector<double>& factors,
                      Precision precision);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;
    void do_normal(ConstArrayView x, ArrayView z) const override;

    std::unique_ptr<const PaddedFftPlan> fft_;
    Array factors_;  ///< [x y z batch]
    Array squares_;
};

}  // namespace recon
