#pragma once

#include "core/operators/linear_operator.hpp"

namespace recon {

/// x -> P x with P = 1 inside a support and 0 outside: an orthogonal projection, its own adjoint and square.
class Support final : public LinearOperator {
public:
    /// @param mask  [x y z] of 0 and 1, on its backend
    explicit Support(Array mask);

    void restrict_to_support(ArrayView x) const;  ///< x = P x, in place

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;
    void do_normal(ConstArrayView x, ArrayView z) const override;

    Array mask_;
};

/// x -> P A P x for a self-adjoint A: the system for images that are zero outside a support. Conjugate gradients that
/// start at zero with P b on the right stay inside it, and find argmin of 1/2 x^H A x - Re x^H b over x = P x. Keeps
/// references.
class Supported final : public LinearOperator {
public:
    Supported(const LinearOperator& a, const Support& support);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;

    const LinearOperator& a_;
    const Support& support_;
};

}  // namespace recon
