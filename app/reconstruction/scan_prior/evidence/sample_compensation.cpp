#include "app/reconstruction/scan_prior/evidence/sample_compensation.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/host_pages.hpp"
#include "core/mri/density_compensation.hpp"
#include "core/operators/circulant_filter.hpp"
#include "core/parallel/ordered_indices.hpp"

namespace recon {
namespace {

constexpr double reach_of_centre = 8;  ///< cycles per FOV
constexpr double rim_of_centre = 2;    ///< whose weights are those of an edge

/// max |k| over the axes that take part
double distance(const Trajectory& trajectory, const PerAxis<Index>& matrix_size, std::size_t m) {
    double largest = 0;
    for (int axis = 0; axis < 3; ++axis) {
        largest = std::max(largest, matrix_size[axis] > 1 ? std::abs(trajectory.k[axis][m]) : 0);
    }
    return largest;
}

/// 1 / c at this rank's samples, in units in which points of a grid that are sampled once have 1.
std::vector<float> reciprocal_of_circulant(const FrameProblem& problem, const std::vector<float>& of_data,
                                           double coil_gain) {
    const Trajectory& trajectory = problem.plans().trajectory();
    const PerAxis<Index> matrix_size = problem.context().matrix_size(), grid = circulant_grid(matrix_size);
    const double unit = static_cast<double>(problem.image_shape().element_count()) * coil_gain;
    auto result =
        unwritten_vector<float>(static_cast<std::size_t>(problem.backend().listed(trajectory.sample_count())));
#pragma omp parallel for schedule(static)
    for (std::size_t m = 0; m < result.size(); ++m) {
        std::size_t at = 0;
        for (int axis = 2; axis >= 0; --axis) {
            const double turns = trajectory.k[axis][m] / static_cast<double>(matrix_size[axis]);
            const double points = (turns - std::floor(turns)) * static_cast<double>(grid[axis]);
            const auto nearest = static_cast<Index>(points + 0.5);
            at = at * static_cast<std::size_t>(grid[axis]) + static_cast<std::size_t>(nearest % grid[axis]);
        }
        const double eigenvalue = of_data[std::min(at, of_data.size() - 1)];
        result[m] = eigenvalue > 0 ? static_cast<float>(unit / eigenvalue) : 0;
    }
    return result;
}

struct CentreOfKspace {
    Trajectory trajectory;
    std::vector<Index> samples;  ///< which they are, of those of all ranks
};

CentreOfKspace find_centre(const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    CentreOfKspace centre;
    centre.samples = ordered_indices(trajectory.sample_count(), [&](Index m) {
        return distance(trajectory, matrix_size, static_cast<std::size_t>(m)) < reach_of_centre + rim_of_centre;
    });
    for (int axis = 0; axis < 3; ++axis) {
        std::vector<double>& k = centre.trajectory.k[axis];
        k = unwritten_vector<double>(centre.samples.size());
#pragma omp parallel for schedule(static)
        for (std::size_t i = 0; i < k.size(); ++i) {
            k[i] = trajectory.k[axis][static_cast<std::size_t>(centre.samples[i])];
        }
    }
    return centre;
}

}  // namespace

std::vector<float> sample_compensation(const FrameProblem& problem, const std::vector<float>& of_data,
                                       double coil_gain) {
    const PerAxis<Index> matrix_size = problem.context().matrix_size();
    const std::vector<double>& g = problem.plans().sample_factors();
    const auto over_square = [&g](double weight, std::size_t m) {
        return static_cast<float>(g.empty() ? weight : g[m] > 0 ? weight / (g[m] * g[m]) : 0);
    };
    if (!problem.plans().q()) {
        std::vector<float> factors;
        for (const double weight : problem.plans().pipe_menon()) {
            factors.push_back(over_square(weight, factors.size()));
        }
        return factors;
    }
    std::vector<float> factors = reciprocal_of_circulant(problem, of_data, coil_gain);
    const CentreOfKspace centre = find_centre(*problem.frame().trajectory, matrix_size);
    if (centre.samples.empty()) {
        return factors;
    }
    const std::vector<double> weights = pipe_menon_weights(problem.backend(), centre.trajectory, matrix_size);
    const Share own = problem.context().division.samples(problem.frame().sample_count());
    for (std::size_t i = 0; i < weights.size(); ++i) {
        const Index m = centre.samples[i] - own.first;
        if (m >= 0 && m < std::ssize(factors) && distance(centre.trajectory, matrix_size, i) < reach_of_centre) {
            factors[static_cast<std::size_t>(m)] = over_square(weights[i], static_cast<std::size_t>(m));
        }
    }
    return factors;
}

}  // namespace recon
