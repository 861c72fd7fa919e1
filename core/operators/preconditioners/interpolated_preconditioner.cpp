#include "core/operators/preconditioners/interpolated_preconditioner.hpp"

#include <utility>

#include "core/backend/backend.hpp"

namespace recon {

InterpolatedPreconditioner::InterpolatedPreconditioner(std::vector<Part> parts)
    : LinearOperator("interpolated preconditioner", parts.front().preconditioner->backend(),
                     parts.front().preconditioner->domain(), parts.front().preconditioner->domain(),
                     parts.front().preconditioner->precision()),
      parts_(std::move(parts)) {}

void InterpolatedPreconditioner::do_forward(ConstArrayView x, ArrayView y) const {
    Array share(backend(), domain(), precision()), solved(backend(), domain(), precision());
    Accumulate accumulate = Accumulate::no;
    for (const Part& part : parts_) {
        backend().multiply(Conjugate::no, *part.root_share, x, Accumulate::no, share);
        part.preconditioner->forward(share, solved);
        backend().multiply(Conjugate::no, *part.root_share, solved, accumulate, y);
        accumulate = Accumulate::yes;
    }
}

}  // namespace recon
