#pragma once

#include "core/backend/backend.hpp"
#include "core/operators/linear_operator.hpp"
#include "tests/support/random.hpp"

namespace recon::test {

/// |<A x, y> - <x, A^H y>| / (|A x| |y| / sqrt(n)) for random x and y: of the order of the rounding error of A for a
/// true adjoint, of order 1 for anything else. The denominator is FINUFFT's: dividing by the inner product instead
/// gives a heavy-tailed figure.
inline double adjoint_error(const LinearOperator& a, unsigned seed = 1) {
    Backend& backend = a.backend();
    const Array x = random_array(backend, a.domain(), a.precision(), seed);
    const Array y = random_array(backend, a.codomain(), a.precision(), seed + 1);
    Array ax(backend, a.codomain(), a.precision());
    Array ahy(backend, a.domain(), a.precision());
    a.forward(x, ax);
    a.adjoint(y, ahy);
    const cdouble difference = backend.dot(ax, y) - backend.dot(x, ahy);
    return std::abs(difference) / (norm(ax) * norm(y) / std::sqrt(static_cast<double>(y.size())));
}

/// |A (x + alpha y) - A x - alpha A y| / |A x|
inline double linearity_error(const LinearOperator& a, unsigned seed = 1) {
    Backend& backend = a.backend();
    const cdouble alpha(0.7, -1.3);
    const Array x = random_array(backend, a.domain(), a.precision(), seed);
    Array combined = random_array(backend, a.domain(), a.precision(), seed + 1);
    Array ax(backend, a.codomain(), a.precision());
    Array ay(backend, a.codomain(), a.precision());
    Array of_sum(backend, a.codomain(), a.precision());
    a.forward(x, ax);
    a.forward(combined, ay);
    backend.axpby(1, x, alpha, combined);
    a.forward(combined, of_sum);
    backend.axpby(-1, ax, 1, of_sum);
    backend.axpby(-alpha, ay, 1, of_sum);
    return norm(of_sum) / norm(ax);
}

/// |A^H (A x) - normal(x)| / |normal(x)|
inline double normal_error(const LinearOperator& a, unsigned seed = 1) {
    Backend& backend = a.backend();
    const Array x = random_array(backend, a.domain(), a.precision(), seed);
    Array ax(backend, a.codomain(), a.precision());
    Array ahax(backend, a.domain(), a.precision());
    Array normal(backend, a.domain(), a.precision());
    a.forward(x, ax);
    a.adjoint(ax, ahax);
    a.normal(x, normal);
    backend.axpby(-1, normal, 1, ahax);
    return norm(ahax) / norm(normal);
}

}  // namespace recon::test
