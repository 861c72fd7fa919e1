#pragma once

#include "core/operators/linear_operator.hpp"

namespace recon {

/// x -> d x, voxel by voxel.
class Diagonal final : public LinearOperator {
public:
    /// @param values  d, [x y z], on its backend
    explicit Diagonal(Array values);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;

    Array values_;
};

}  // namespace recon
