#pragma once

#include <memory>
#include <vector>

#include "core/operators/preconditioners/circulant_preconditioner.hpp"

namespace recon {

/// x -> sum_j d_j P_j (d_j x), d_j real with sum_j d_j(r)^2 = 1: of circulant preconditioners P_j that are good where
/// d_j is large, one that is good everywhere [Fessler & Booth 1999, Conjugate-gradient preconditioning methods for
/// shift-variant PET image reconstruction]; or with sum_j d_j(r)^2 = 1/e(r), of those for an operator that is sqrt(e)
/// times circulants times sqrt(e). Self-adjoint and positive definite where they are.
class InterpolatedPreconditioner final : public LinearOperator {
public:
    struct Part {
        std::shared_ptr<const Array> root_share;                        ///< d_j, [x y z]
        std::unique_ptr<const CirculantPreconditioner> preconditioner;  ///< P_j
    };

    /// @param parts  at least one, of the same backend, shape and precision
    explicit InterpolatedPreconditioner(std::vector<Part> parts);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override { do_forward(y, x); }

    std::vector<Part> parts_;
};

}  // namespace recon
