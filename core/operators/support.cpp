#include "core/operators/support.hpp"

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {

Support::Support(Array mask)
    : LinearOperator("support", mask.backend(), mask.shape(), mask.shape(), mask.precision()), mask_(std::move(mask)) {}

void Support::restrict_to_support(ArrayView x) const { backend().multiply(Conjugate::no, mask_, x, Accumulate::no, x); }

void Support::do_forward(ConstArrayView x, ArrayView y) const {
    backend().multiply(Conjugate::no, mask_, x, Accumulate::no, y);
}
void Support::do_adjoint(ConstArrayView y, ArrayView x) const { do_forward(y, x); }
void Support::do_normal(ConstArrayView x, ArrayView z) const { do_forward(x, z); }

Supported::Supported(const LinearOperator& a, const Support& support)
    : LinearOperator(a.name() + " on a support", a.backend(), a.domain(), a.codomain(), a.precision()),
      a_(a),
      support_(support) {
    if (!(a.domain() == support.domain())) {
        throw ShapeError(name() + ": the support is " + support.domain().text() + ", expected " + a.domain().text());
    }
}

void Supported::do_forward(ConstArrayView x, ArrayView y) const {
    Array inside(backend(), domain(), precision());
    support_.forward(x, inside);
    a_.forward(inside, y);
    support_.restrict_to_support(y);
}
void Supported::do_adjoint(ConstArrayView y, ArrayView x) const { do_forward(y, x); }

}  // namespace recon
