#include "core/operators/linear_operator.hpp"

#include "core/backend/backend.hpp"
#include "core/base/cancel.hpp"
#include "core/base/error.hpp"

namespace recon {

LinearOperator::LinearOperator(std::string name, Backend& backend, const Shape& domain, const Shape& codomain,
                               Precision precision)
    : name_(std::move(name)), backend_(&backend), domain_(domain), codomain_(codomain), precision_(precision) {}

void LinearOperator::require(const char* role, ConstArrayView array, const Shape& expected) const {
    cancel_of_this_thread().check();
    if (!(array.shape() == expected)) {
        throw ShapeError(name_ + ": " + role + " is " + array.shape().text() + ", expected " + expected.text());
    }
    if (array.precision() != precision_) {
        throw ShapeError(name_ + ": " + role + " holds " + std::string(name_of(array.precision())) +
                         " precision, expected " + std::string(name_of(precision_)));
    }
    if (&array.backend() != backend_) {
        throw ShapeError(name_ + ": " + role + " is on backend " + array.backend().name() + ", expected " +
                         backend_->name());
    }
}

void LinearOperator::forward(ConstArrayView x, ArrayView y) const {
    require("forward input", x, domain_);
    require("forward output", y, codomain_);
    do_forward(x, y);
}

void LinearOperator::adjoint(ConstArrayView y, ArrayView x) const {
    require("adjoint input", y, codomain_);
    require("adjoint output", x, domain_);
    do_adjoint(y, x);
}

void LinearOperator::normal(ConstArrayView x, ArrayView z) const {
    require("normal input", x, domain_);
    require("normal output", z, domain_);
    do_normal(x, z);
}

void LinearOperator::do_normal(ConstArrayView x, ArrayView z) const {
    Array between(*backend_, codomain_, precision_);
    do_forward(x, between);
    do_adjoint(between, z);
}

}  // namespace recon
