#include "core/operators/preconditioners/interpolated_preconditioner.hpp"

#include <utility>

namespace recon {

InterpolatedPreconditioner::InterpolatedPreconditioner(std::vector<Part> parts)
    : LinearOperator("interpolated preconditioner", parts.front().preconditioner->backend(),
                     parts.front().preconditioner->domain(), parts.front().preconditioner->domain(),
                     parts.front().preconditioner->precision()),
      parts_(std::move(parts)) {}

void InterpolatedPreconditioner::do_forward(ConstArrayView x, ArrayView y) const {
    Accumulate accumulate = Accumulate::no;
    for (const Part& part : parts_) {
        part.preconditioner->between(*part.root_share, x, accumulate, y);
        accumulate = Accumulate::yes;
    }
}

}  // namespace recon
