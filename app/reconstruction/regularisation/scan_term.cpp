#include "app/reconstruction/regularisation/scan_term.hpp"

#include <algorithm>
#include <cmath>

#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/penalties/spectral_weighting.hpp"
#include "core/operators/penalties/voxel_pairs.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"

namespace recon {
namespace {

/// Calls function(frequencies in cycles per voxel) for the points of circulant_grid, in their order.
template <class Function>
void for_each_frequency(PerAxis<Index> matrix_size, Function&& function) {
    const PerAxis<Index> grid = circulant_grid(matrix_size);
    const auto frequency = [&](int axis, Index i) {
        return static_cast<double>(2 * i > grid[axis] ? i - grid[axis] : i) / static_cast<double>(grid[axis]);
    };
    for (Index z = 0; z < grid[2]; ++z) {
        for (Index y = 0; y < grid[1]; ++y) {
            for (Index x = 0; x < grid[0]; ++x) {
                function(PerAxis<double>{frequency(0, x), frequency(1, y), frequency(2, z)});
            }
        }
    }
}

PerAxis<double> factors_of(const FrameProblem& problem) {
    const Geometry& geometry = problem.context().scan.geometry;
    return gradient_factors(geometry.matrix_size, geometry.voxel_size_mm());
}

/// Pairs that both lie inside, 1; others 0: [x y z axis]
std::vector<double> pairs_inside(const FrameProblem& problem, const Support* support, Index axis_count) {
    const std::size_t voxels = static_cast<std::size_t>(problem.image_shape().element_count());
    std::vector<double> inside(voxels * static_cast<std::size_t>(axis_count), 1.0);
    if (support == nullptr) {
        return inside;
    }
    Array ones(problem.backend(), problem.image_shape(), problem.context().options.precision);
    problem.backend().fill(1, ones);
    support->restrict_to_support(ones);
    const std::vector<cfloat> mask = download<float>(ones);
    for_each_pair(problem.context().matrix_size(), [&](Index i, Index j, int slot) {
        if (mask[i] == 0.0F || mask[j] == 0.0F) {
            inside[static_cast<std::size_t>(slot) * voxels + static_cast<std::size_t>(i)] = 0;
        }
    });
    return inside;
}

}  // namespace

std::vector<double> k_of_grid(PerAxis<Index> matrix_size, const KspaceShells& shells) {
    std::vector<double> k;
    for_each_frequency(matrix_size, [&](const PerAxis<double>& frequency) {
        double square = 0;
        for (int axis = 0; axis < 3; ++axis) {
            square += std::pow(frequency[axis] * static_cast<double>(matrix_size[axis]) * shells.factors()[axis], 2);
        }
        k.push_back(std::sqrt(square));
    });
    return k;
}

ScanTerm spectrum_term(const FrameProblem& problem, const KspaceShells& shells, const PowerSpectrum& spectrum,
                       const ScanNoise& noise, double signal_share) {
    const auto voxels = static_cast<double>(problem.image_shape().element_count());
    std::vector<double> factors;
    ScanTerm result;
    const std::vector<double> k = k_of_grid(problem.context().matrix_size(), shells);
    for (const double at : k) {
        const double power = spectrum(at);
        const double variance = noise.variance(signal_share * power);
        const double eigenvalue = variance * voxels / power;
        result.spectrum.push_back(eigenvalue);
        result.deviations.push_back(std::sqrt(variance));
        factors.push_back(std::sqrt(eigenvalue / (static_cast<double>(k.size()) * problem.q_centre())));
    }
    result.term = {1, std::make_shared<const SpectralWeighting>(problem.backend(), problem.image_shape(), factors,
                                                                problem.context().options.precision)};
    return result;
}

ScanTerm local_term(const FrameProblem& problem, const Support* support, const std::vector<double>& variance,
                    double noise_variance) {
    Backend& backend = problem.backend();
    const Shape image = problem.image_shape();
    const auto axes = std::max<Index>(1, std::ssize(axes_with_neighbours(image.matrix_size())));
    std::vector<double> weights = pairs_inside(problem, support, axes);
    double sum = 0, count = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
        sum += weights[i] / variance[i];
        count += weights[i];
        weights[i] *= std::sqrt(noise_variance / (variance[i] * problem.q_centre()));
    }
    std::vector<double> deviations(weights.size(), std::sqrt(noise_variance));
    Array on_backend(backend, image.with_axis("axis", axes), problem.context().options.precision);
    upload(std::vector<cdouble>(weights.begin(), weights.end()), on_backend);
    return {{1, std::make_shared<const FiniteDifferences>(backend, image, factors_of(problem), std::move(on_backend))},
            gradient_spectrum(problem, noise_variance, count > 0 ? count / sum : 1),
            std::move(deviations)};
}

std::vector<double> gradient_spectrum(const FrameProblem& problem, double noise_variance, double variance) {
    const PerAxis<double> factors = factors_of(problem);
    const PerAxis<Index> matrix = problem.context().matrix_size();
    std::vector<double> spectrum;
    for_each_frequency(matrix, [&](const PerAxis<double>& frequency) {
        double value = 0;
        for (int axis = 0; axis < 3; ++axis) {
            if (matrix[axis] > 1) {
                value += std::pow(2 * factors[axis] * std::sin(pi * frequency[axis]), 2);
            }
        }
        spectrum.push_back(noise_variance / variance * value);
    });
    return spectrum;
}

FiniteDifferences plain_gradient(const FrameProblem& problem) {
    return {problem.backend(), problem.image_shape(), factors_of(problem), problem.context().options.precision};
}

}  // namespace recon
