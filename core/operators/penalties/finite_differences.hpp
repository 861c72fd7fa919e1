#pragma once

#include <optional>
#include <vector>

#include "core/backend/image_primitives.hpp"
#include "core/operators/linear_operator.hpp"

namespace recon {

/// First differences of neighbours along each axis with more than one voxel, boundaries free:
///
///     (W x)[n, a] = v_a[n] (x[n + e_a] - x[n]),   0 at the end of the axis,   v = factor of the axis times weight of
///     the pair
///
/// Image [x y z] to [x y z axis]; an image of one voxel has one axis that is 0. W^H W is a stencil; no matrix is
/// stored.
class FiniteDifferences final : public LinearOperator {
public:
    /// @param axis_factors  for x, y, z; 1 for plain differences, `gradient_factors` for gradients in space
    FiniteDifferences(Backend& backend, const Shape& image_shape, const PerAxis<double>& axis_factors,
                      Precision precision);
    /// @param weights  [x y z axis], real parts are read, as edge_weights gives them; on this backend
    /// @throws ShapeError if they do not belong to the image
    FiniteDifferences(Backend& backend, const Shape& image_shape, const PerAxis<double>& axis_factors, Array weights);

    /// Which axis of the image (0 x, 1 y, 2 z) each slice of the codomain belongs to.
    const std::vector<int>& axes() const { return axes_; }

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;
    void do_normal(ConstArrayView x, ArrayView z) const override;

    PerAxis<double> axis_factors_;
    std::vector<int> axes_;
    std::optional<Array> weights_;
};

}  // namespace recon
