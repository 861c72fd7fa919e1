#pragma once

#include "core/operators/linear_operator.hpp"
#include "core/parallel/communicator.hpp"

namespace recon {

/// x -> x
class Identity final : public LinearOperator {
public:
    Identity(Backend& backend, const Shape& shape, Precision precision);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;
    void do_normal(ConstArrayView x, ArrayView z) const override;
};

/// x -> outer(inner(x)). Keeps references: both must outlive it.
class Composition final : public LinearOperator {
public:
    /// @throws ShapeError if the codomain of `inner` is not the domain of `outer`
    Composition(const LinearOperator& outer, const LinearOperator& inner);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;
    void do_normal(ConstArrayView x, ArrayView z) const override;

    const LinearOperator& outer_;
    const LinearOperator& inner_;
};

/// x -> a(x) + factor b(x), the factor real. Keeps references: both must outlive it.
class Sum final : public LinearOperator {
public:
    /// @throws ShapeError if domains or codomains differ
    Sum(const LinearOperator& a, double factor, const LinearOperator& b);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;

    const LinearOperator& a_;
    double factor_;
    const LinearOperator& b_;
};

/// The self-adjoint operator x -> A^H A x, through A's own `normal`. Keeps a reference to A.
class Normal final : public LinearOperator {
public:
    explicit Normal(const LinearOperator& a);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;

    const LinearOperator& a_;
};

/// The stack of the ranks' operators A_r, whose domain every rank holds, and whose codomain they share out:
///
///     forward  y_r = A_r x        adjoint  x = sum_r A_r^H y_r        normal  z = sum_r A_r^H A_r x
///
/// Conjugate gradients on the normal equations need nothing else to run on several ranks. Keeps references.
class AllReduce final : public LinearOperator {
public:
    AllReduce(const LinearOperator& a, Communicator& ranks);

private:
    void do_forward(ConstArrayView x, ArrayView y) const override;
    void do_adjoint(ConstArrayView y, ArrayView x) const override;
    void do_normal(ConstArrayView x, ArrayView z) const override;

    const LinearOperator& a_;
    Communicator& ranks_;
};

}  // namespace recon
