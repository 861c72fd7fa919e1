#include "core/operators/operator_algebra.hpp"

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {

Identity::Identity(Backend& backend, const Shape& shape, Precision precision)
    : LinearOperator("identity", backend, shape, shape, precision) {}

void Identity::do_forward(ConstArrayView x, ArrayView y) const { backend().copy(x, y); }
void Identity::do_adjoint(ConstArrayView y, ArrayView x) const { backend().copy(y, x); }
void Identity::do_normal(ConstArrayView x, ArrayView z) const { backend().copy(x, z); }

Composition::Composition(const LinearOperator& outer, const LinearOperator& inner)
    : LinearOperator(outer.name() + " of " + inner.name(), inner.backend(), inner.domain(), outer.codomain(),
                     inner.precision()),
      outer_(outer),
      inner_(inner) {
    if (!(inner.codomain() == outer.domain())) {
        throw ShapeError(outer.name() + " takes " + outer.domain().text() + ", but " + inner.name() + " gives " +
                         inner.codomain().text());
    }
}

void Composition::do_forward(ConstArrayView x, ArrayView y) const {
    Array between(backend(), inner_.codomain(), precision());
    inner_.forward(x, between);
    outer_.forward(between, y);
}

void Composition::do_adjoint(ConstArrayView y, ArrayView x) const {
    Array between(backend(), inner_.codomain(), precision());
    outer_.adjoint(y, between);
    inner_.adjoint(between, x);
}

void Composition::do_normal(ConstArrayView x, ArrayView z) const {
    Array between(backend(), inner_.codomain(), precision());
    Array filtered(backend(), inner_.codomain(), precision());
    inner_.forward(x, between);
    outer_.normal(between, filtered);
    inner_.adjoint(filtered, z);
}

Sum::Sum(const LinearOperator& a, double factor, const LinearOperator& b)
    : LinearOperator(a.name() + " + " + b.name(), a.backend(), a.domain(), a.codomain(), a.precision()),
      a_(a),
      factor_(factor),
      b_(b) {
    if (!(a.domain() == b.domain()) || !(a.codomain() == b.codomain())) {
        throw ShapeError("sum of operators: " + a.name() + " maps " + a.domain().text() + " to " + a.codomain().text() +
                         ", " + b.name() + " maps " + b.domain().text() + " to " + b.codomain().text());
    }
}

void Sum::do_forward(ConstArrayView x, ArrayView y) const {
    Array term(backend(), codomain(), precision());
    a_.forward(x, y);
    b_.forward(x, term);
    backend().axpby(factor_, term, 1, y);
}

void Sum::do_adjoint(ConstArrayView y, ArrayView x) const {
    Array term(backend(), domain(), precision());
    a_.adjoint(y, x);
    b_.adjoint(y, term);
    backend().axpby(factor_, term, 1, x);
}

Normal::Normal(const LinearOperator& a)
    : LinearOperator("normal of " + a.name(), a.backend(), a.domain(), a.domain(), a.precision()), a_(a) {}

void Normal::do_forward(ConstArrayView x, ArrayView y) const { a_.normal(x, y); }
void Normal::do_adjoint(ConstArrayView y, ArrayView x) const { a_.normal(y, x); }

AllReduce::AllReduce(const LinearOperator& a, Communicator& ranks)
    : LinearOperator(a.name() + " of all ranks", a.backend(), a.domain(), a.codomain(), a.precision()),
      a_(a),
      ranks_(ranks) {}

void AllReduce::do_forward(ConstArrayView x, ArrayView y) const { a_.forward(x, y); }

void AllReduce::do_adjoint(ConstArrayView y, ArrayView x) const {
    a_.adjoint(y, x);
    ranks_.all_reduce_sum(x);
}

void AllReduce::do_normal(ConstArrayView x, ArrayView z) const {
    a_.normal(x, z);
    ranks_.all_reduce_sum(z);
}

}  // namespace recon
