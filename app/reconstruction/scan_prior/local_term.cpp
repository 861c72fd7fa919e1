#include "app/reconstruction/scan_prior/local_term.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "app/reconstruction/scan_prior/evidence/grid_frequencies.hpp"
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

/// Two levels of v, that of flat tissue and that of edges: it differs by orders of magnitude between them, and no one
/// level does for both. With u(r) = 1/v and m^2 the product of its arithmetic and harmonic means,
///
///     share of the edges  t = m^2 / (u^2 + m^2),    their u: sum t / sum t/u,    the others': sum (1-t) u / sum (1-t)
///
/// @param support  sums are over what is inside; null: all voxels
std::vector<TermLevel> levels_of(const FrameProblem& problem, const PerAxis<double>& factors, const Support* support,
                                 const LocalVariance& variance, double noise_variance) {
    Backend& backend = problem.backend();
    const Array u = mean_steepness(problem, factors, variance);
    const auto like_u = [&] { return Array(backend, u.shape(), u.precision()); };
    Array inside = like_u(), flatness = like_u(), at_edges = like_u(), elsewhere = like_u(), sum = like_u();
    backend.fill(1, inside);
    if (support != nullptr) {
        support->restrict_to_support(inside);
    }
    backend.divide(inside, u, flatness);
    const double middle_squared = backend.dot(inside, u).real() / backend.dot(inside, flatness).real();

    backend.multiply(Conjugate::no, u, u, Accumulate::no, elsewhere);
    backend.fill(middle_squared, at_edges);
    backend.copy(elsewhere, sum);
    backend.axpby(1, at_edges, 1, sum);
    backend.divide(elsewhere, sum, elsewhere);
    backend.divide(at_edges, sum, at_edges);

    const double steepness_at_edges = backend.dot(at_edges, inside).real() / backend.dot(at_edges, flatness).real();
    backend.multiply(Conjugate::no, inside, elsewhere, Accumulate::no, sum);
    const double steepness_elsewhere = backend.dot(sum, u).real() / backend.dot(sum, inside).real();
    backend.square_root(at_edges);
    backend.square_root(elsewhere);
    const double unit = noise_variance / variance.scale;
    return {{unit * steepness_at_edges, std::make_shared<const Array>(std::move(at_edges))},
            {unit * steepness_elsewhere, std::make_shared<const Array>(std::move(elsewhere))}};
}

}  // namespace

LocalTerm local_term(const FrameProblem& problem, const SharpenedGradient& gradient, const Support* support,
                     const LocalVariance& variance, double noise_variance) {
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
    result.scan.levels = levels_of(problem, gradient.axis_factors(), support, variance, noise_variance);
    result.scan.deviation = std::sqrt(noise_variance);
    return result;
}

}  // namespace recon
