#include "app/reconstruction/scan_prior/scan_term.hpp"

#include <algorithm>
#include <cmath>

#include "app/reconstruction/scan_prior/evidence/grid_frequencies.hpp"
#include "core/base/host_pages.hpp"
#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/penalties/spectral_weighting.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"

namespace recon {
namespace {

PerAxis<double> factors_of(const FrameProblem& problem) {
    const Geometry& geometry = problem.context().scan.geometry;
    return gradient_factors(geometry.matrix_size, geometry.voxel_size_mm());
}

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

}  // namespace

ScanTerm spectrum_term(const FrameProblem& problem, const std::vector<double>& k, const PowerSpectrum& spectrum,
                       const ScanNoise& noise, double signal_share) {
    const auto voxels = static_cast<double>(problem.image_shape().element_count());
    auto factors = vector_of_provided_pages<double>(k.size());
    ScanTerm result;
    result.spectrum = vector_of_provided_pages<double>(k.size());
    result.deviations = vector_of_provided_pages<double>(k.size());
    const double points = static_cast<double>(k.size());
#pragma omp parallel for schedule(static)
    for (std::size_t i = 0; i < k.size(); ++i) {
        const double power = spectrum(k[i]);
        const double variance = noise.variance(signal_share * power);
        result.spectrum[i] = variance * voxels / power;
        result.deviations[i] = std::sqrt(variance);
        factors[i] = std::sqrt(result.spectrum[i] / (points * problem.q_centre()));
    }
    result.term = {1, std::make_shared<const SpectralWeighting>(problem.backend(), problem.image_shape(), factors,
                                                                problem.context().options.precision)};
    return result;
}

ScanTerm local_term(const FrameProblem& problem, const Support* support, const LocalVariance& variance,
                    double noise_variance) {
    Backend& backend = problem.backend();
    const Array inside = pairs_inside(problem, support);
    Array weights(backend, inside.shape(), inside.precision());
    backend.divide(inside, variance.relative, weights);
    const double inverse_sum = backend.dot(inside, weights).real() / variance.scale;
    const double pair_count = backend.dot(inside, inside).real();
    backend.square_root(weights);
    backend.scale(std::sqrt(noise_variance / (problem.q_centre() * variance.scale)), weights);
    ScanTerm result;
    result.term = {1, std::make_shared<const FiniteDifferences>(backend, problem.image_shape(), factors_of(problem),
                                                                std::move(weights))};
    result.spectrum = gradient_spectrum(problem, noise_variance, pair_count > 0 ? pair_count / inverse_sum : 1);
    result.deviation = std::sqrt(noise_variance);
    return result;
}

std::vector<double> gradient_spectrum(const FrameProblem& problem, double noise_variance, double variance) {
    const PerAxis<double> factors = factors_of(problem);
    const PerAxis<Index> matrix = problem.context().matrix_size();
    return sum_over_axes(problem, [&](int axis, double frequency) {
        return matrix[axis] > 1 ? noise_variance / variance * std::pow(2 * factors[axis] * std::sin(pi * frequency), 2)
                                : 0.0;
    });
}

FiniteDifferences plain_gradient(const FrameProblem& problem) {
    return {problem.backend(), problem.image_shape(), factors_of(problem), problem.context().options.precision};
}

}  // namespace recon
