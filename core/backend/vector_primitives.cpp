#include "core/backend/vector_primitives.hpp"

#include <fmt/format.h>

#include <cmath>

#include "core/backend/backend.hpp"
#include "core/base/error.hpp"

namespace recon {
namespace {

std::string text_of(ConstArrayView x) {
    return fmt::format("{} in {} precision on {}", x.shape().text(), name_of(x.precision()), x.backend().name());
}

void require_shape(ConstArrayView x, ConstArrayView y) {
    if (!(x.shape() == y.shape())) {
        throw ShapeError(
            fmt::format("vector operation: operands are {} and {}; expected equal shapes", text_of(x), text_of(y)));
    }
}

void require_precision(ConstArrayView x, ConstArrayView y) {
    if (x.precision() != y.precision()) {
        throw ShapeError(
            fmt::format("vector operation: operands are {} and {}; expected one precision", text_of(x), text_of(y)));
    }
}

}  // namespace

void VectorPrimitives::require_here(ConstArrayView operand) const {
    if (static_cast<const VectorPrimitives*>(&operand.backend()) != this) {
        throw ShapeError(
            fmt::format("vector operation: operand is {}, which is not the backend that was called", text_of(operand)));
    }
}

void VectorPrimitives::require_like(ConstArrayView x, ConstArrayView y) const {
    require_here(x);
    require_here(y);
    require_shape(x, y);
    require_precision(x, y);
}

Index VectorPrimitives::count_of_vectors(ConstArrayView x, ConstArrayView y, ConstArrayView scalars) const {
    require_here(x);
    require_here(y);
    require_here(scalars);
    require_precision(x, y);
    const Index count = scalars.size();
    if (x.size() != count * y.size() || scalars.precision() != Precision::double_) {
        throw ShapeError(
            fmt::format("vector operation: {} {} precision scalars and vectors {} for a vector {}; expected as many "
                        "vectors as scalars, and scalars of double precision",
                        count, name_of(scalars.precision()), text_of(x), text_of(y)));
    }
    return count;
}

void VectorPrimitives::fill(cdouble value, ArrayView y) {
    require_here(y);
    do_fill(value, y);
}

void VectorPrimitives::fill_white(std::uint64_t stream, Index first, ArrayView y) {
    require_here(y);
    do_fill_white(WhiteNoise(stream), first, y);
}

void VectorPrimitives::copy(ConstArrayView x, ArrayView y) {
    require_here(x);
    require_here(y);
    require_shape(x, y);
    do_copy(x, y);
}

void VectorPrimitives::scale(cdouble alpha, ArrayView y) {
    require_here(y);
    do_scale(alpha, y);
}

void VectorPrimitives::axpby(cdouble alpha, ConstArrayView x, cdouble beta, ArrayView y) {
    require_like(x, y);
    do_axpby(alpha, x, beta, y);
}

void VectorPrimitives::multiply(Conjugate conjugate, ConstArrayView m, ConstArrayView x, Accumulate accumulate,
                                ArrayView y) {
    require_like(m, x);
    require_like(x, y);
    do_multiply(conjugate, m, x, accumulate, y);
}

void VectorPrimitives::divide(ConstArrayView x, ConstArrayView d, ArrayView y) {
    require_like(x, d);
    require_like(x, y);
    do_divide(x, d, y);
}

void VectorPrimitives::square_root(ArrayView y) {
    require_here(y);
    do_square_root(y);
}

void VectorPrimitives::mirror_conjugate(ConstArrayView x, ArrayView y) {
    require_here(x);
    require_here(y);
    require_precision(x, y);
    if (x.size() > y.size() || 2 * x.size() < y.size()) {
        throw ShapeError(fmt::format("vector operation: {} is not a half of {}", text_of(x), text_of(y)));
    }
    do_mirror_conjugate(x, y);
}

void VectorPrimitives::dots(ConstArrayView x, ConstArrayView y, ArrayView result) {
    do_dots(count_of_vectors(x, y, result), x, y, result);
}

void VectorPrimitives::add_combination(ConstArrayView coefficients, ConstArrayView x, ArrayView y) {
    do_add_combination(count_of_vectors(x, y, coefficients), coefficients, x, y);
}

cdouble VectorPrimitives::dot(ConstArrayView x, ConstArrayView y) {
    Array result(x.backend(), {{"dot", 1}}, Precision::double_);
    dots(x, y, result);
    return download<double>(result).front();
}

double norm(ConstArrayView x) { return std::sqrt(x.backend().dot(x, x).real()); }

}  // namespace recon
