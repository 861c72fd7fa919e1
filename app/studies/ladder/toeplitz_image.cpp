#include "app/studies/ladder/toeplitz_image.hpp"

#include <optional>

#include "core/operators/operator_algebra.hpp"
#include "core/operators/q_kernel.hpp"
#include "core/operators/toeplitz_normal.hpp"
#include "solver/conjugate_gradient.hpp"

namespace recon::ladder {
namespace {

Array uploaded(Backend& backend, const Shape& shape, Precision precision, const std::vector<cfloat>& values) {
    Array array(backend, shape, precision);
    upload(values, array);
    return array;
}

}  // namespace

std::vector<cfloat> toeplitz_image(const ToeplitzSolve& how, const std::vector<cfloat>& half_of_q,
                                   const std::vector<cfloat>& fhd) {
    const Shape shape = Shape::image(how.matrix_size);
    const Shape half_shape = half_of_differences(how.matrix_size).shape;
    const Array q =
        q_from_half(how.backend, uploaded(how.backend, half_shape, Precision::double_, half_of_q), how.matrix_size);
    const ToeplitzNormal normal(how.backend, shape, q, how.precision);
    std::optional<Normal> penalty;
    std::optional<recon::Sum> with_prior;
    const LinearOperator* system = &normal;
    if (how.w != nullptr) {
        penalty.emplace(*how.w);
        system = &with_prior.emplace(normal, how.factor, *penalty);
    }
    Array image(how.backend, shape, how.precision);
    how.backend.fill(0, image);
    solve_cg(*system, uploaded(how.backend, shape, how.precision, fhd), image, CgOptions{.iterations = how.iterations});
    return download<float>(image);
}

}  // namespace recon::ladder
