#pragma once

#include <vector>

#include "core/operators/linear_operator.hpp"

namespace recon {

/// The operators A_1, A_2, ... side by side, of equal domains and codomains, each with a slice of the last axis,
/// `frame`:
/// [... frame] to [... frame]. Keeps references.
class BlockDiagonal final : public LinearOperator {
public:
    /// @throws ShapeError unless there is an operator, and all are alike
    explicit BlockDiagonal(const std::vector<const LinearOperator*>& blocks);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;
    void do_normal(ConstArrayView x, ArrayView z) const override;

    std::vector<const LinearOperator*> blocks_;
};

}  // namespace recon
