#include "core/operators/diagonal.hpp"

#include <utility>

#include "core/backend/backend.hpp"

namespace recon {

Diagonal::Diagonal(Array values)
    : LinearOperator("diagonal", values.backend(), values.shape(), values.shape(), values.precision()),
      values_(std::move(values)) {}

void Diagonal::do_forward(ConstArrayView x, ArrayView y) const {
    backend().multiply(Conjugate::no, values_, x, Accumulate::no, y);
}
void Diagonal::do_adjoint(ConstArrayView y, ArrayView x) const {
    backend().multiply(Conjugate::yes, values_, y, Accumulate::no, x);
}

}  // namespace recon
