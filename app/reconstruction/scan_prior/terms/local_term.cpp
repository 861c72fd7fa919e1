#include "app/reconstruction/scan_prior/terms/local_term.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/reconstruction/scan_prior/evidence/grid_frequencies.hpp"
#include "app/reconstruction/scan_prior/terms/term_levels.hpp"
#include "core/operators/operator_algebra.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"

namespace recon {
namespace {

/// x -> V D H x, whole.
struct WeightedGradient {
    WeightedGradient(std::shared_ptr<const CirculantFilter> filter_of_image,
                     std::shared_ptr<const FiniteDifferences> differences_of_image)
        : filter(std::move(filter_of_image)),
          differences(std::move(differences_of_image)),
          whole(*differences, *filter) {}

    std::shared_ptr<const CirculantFilter> filter;
    std::shared_ptr<const FiniteDifferences> differences;
    Composition whole;
};

/// Pairs that both lie inside, 1; others 0: [x y z axis]
Array pairs_inside(const FrameProblem& problem, const Support* support) {
    Backend& backend = problem.backend();
    const Shape image = problem.image_shape();
    const std::vector<int> axes = axes_with_neighbours(image.matrix_size());
    const Precision precision = problem.context().options.precision;
    Array inside(backend, image.with_axis("axis", std::max<Index>(1, std::ssize(axes))), precision);
    backend.fill(1, inside);
    if (support == nullptr) {
        return inside;
    }
    Array mask(backend, image, precision);
    backend.fill(1, mask);
    support->restrict_to_support(mask);
    for (std::size_t slot = 0; slot < axes.size(); ++slot) {
        const ArrayView pairs = inside.slice(static_cast<Index>(slot));
        backend.image_primitives().difference(axes[slot], mask, pairs);
        backend.axpby(1, mask, 1, pairs);  // the neighbour
        backend.multiply(Conjugate::no, mask, pairs, Accumulate::no, pairs);
    }
    return inside;
}

/// u in units of 1 / `variance.scale`: 1/v in the mean over the axes, weighed as their gradients are. [x y z]
Array mean_steepness(const FrameProblem& problem, const PerAxis<double>& factors, const LocalVariance& variance) {
    Backend& backend = problem.backend();
    const std::vector<int> axes = axes_with_neighbours(problem.image_shape().matrix_size());
    double energy = 0;
    for (const int axis : axes) {
        energy += factors[axis] * factors[axis];
    }
    const Precision precision = variance.relative.precision();
    Array steepness(backend, problem.image_shape(), precision), of_axis(backend, problem.image_shape(), precision);
    backend.fill(axes.empty() ? 1 : 0, steepness);
    for (std::size_t slot = 0; slot < axes.size(); ++slot) {
        backend.fill(factors[axes[slot]] * factors[axes[slot]] / energy, of_axis);
        backend.divide(of_axis, variance.relative.slice(static_cast<Index>(slot)), of_axis);
        backend.axpby(1, of_axis, 1, steepness);
    }
    return steepness;
}

}  // namespace

LocalTerm local_term(const FrameProblem& problem, const SharpenedGradient& gradient, const Support* support,
                     const LocalVariance& variance, double noise_variance, const Array* sensitivity) {
    Backend& backend = problem.backend();
    const Array inside = pairs_inside(problem, support);
    Array weights(backend, inside.shape(), inside.precision());
    backend.divide(inside, variance.relative, weights);
    backend.square_root(weights);
    backend.scale(std::sqrt(noise_variance / (problem.q_centre() * variance.scale)), weights);
    LocalTerm result;
    result.differences = std::make_shared<const FiniteDifferences>(backend, problem.image_shape(),
                                                                   gradient.axis_factors(), std::move(weights));
    const auto whole = std::make_shared<const WeightedGradient>(gradient.filter(), result.differences);
    result.scan.term = {1, std::shared_ptr<const LinearOperator>(whole, &whole->whole)};
    result.scan.grid = even_grid(problem);
    result.scan.spectrum = gradient.spectrum();
    result.scan.levels = levels_of(problem, mean_steepness(problem, gradient.axis_factors(), variance), support,
                                   noise_variance / variance.scale, sensitivity);
    result.scan.deviation = std::sqrt(noise_variance);
    return result;
}

}  // namespace recon
