#include "core/backend/backend.hpp"

#include <cmath>

#include "core/base/error.hpp"

namespace recon {

cdouble Backend::dot(ConstArrayView x, ConstArrayView y) {
    Array result(*this, {{"dot", 1}}, Precision::double_);
    dots(x, y, result);
    return recon::download<double>(result).front();
}

Index Backend::count_of_vectors(ConstArrayView x, ConstArrayView y, ConstArrayView scalars) const {
    const Index count = scalars.size();
    if (x.size() != count * y.size() || x.precision() != y.precision() || scalars.precision() != Precision::double_) {
        throw ShapeError(name() + ": " + std::to_string(count) + " " + std::string(name_of(scalars.precision())) +
                         " precision scalars and vectors " + x.shape().text() + " for a vector " + y.shape().text() +
                         "; expected as many vectors as scalars, and scalars of double precision");
    }
    return count;
}

void Backend::require_half(ConstArrayView x, ConstArrayView y) const {
    if (x.size() > y.size() || 2 * x.size() < y.size() || x.precision() != y.precision()) {
        throw ShapeError(name() + ": " + x.shape().text() + " is not a half of " + y.shape().text());
    }
}

double norm(ConstArrayView x) { return std::sqrt(x.backend().dot(x, x).real()); }

}  // namespace recon
