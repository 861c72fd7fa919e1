#include "app/reconstruction/scan_prior/terms/sharpened_gradient.hpp"

#include <algorithm>
#include <cmath>
#include <limits>

#include "app/reconstruction/scan_prior/evidence/grid_frequencies.hpp"
#include "core/base/host_pages.hpp"
#include "core/base/ordered_sum.hpp"
#include "core/operators/penalties/edge_weights.hpp"

namespace recon {
namespace {

/// Between differences alone, 0, and the whole spectrum, 1: found on simulated scans. Spectra of edges are |k|^-(d + 1)
/// in d dimensions, and 1 / (P |D|^2) is |k|^(d - 1): the same filter for the same edges. On large grids edges are
/// rarer, and more of k-space lies below the noise.
double sharpness(const PerAxis<Index>& matrix_size) {
    constexpr double of_small_planes = 0.4, small = 128;
    double axis_count = 0, voxels = 1;
    for (const int axis : axes_with_neighbours(matrix_size)) {
        axis_count += 1;
        voxels *= static_cast<double>(matrix_size[axis]);
    }
    const double width = std::pow(voxels, 1 / std::max(axis_count, 1.0));
    return of_small_planes / std::max(axis_count - 1, 1.0) * std::min(1.0, small / width);
}

PerAxis<double> factors_of(const FrameProblem& problem) {
    const Geometry& geometry = problem.context().scan.geometry;
    return gradient_factors(geometry.matrix_size, geometry.voxel_size_mm());
}

/// That of |D(k)|^2 along an axis, k in cycles per voxel.
double square_of_difference(double factor, double frequency) {
    return std::pow(2 * factor * std::sin(pi * frequency), 2);
}

/// |D(k)|^2 of the octant of frequencies
std::vector<double> spectrum_of_differences(const FrameProblem& problem, const PerAxis<double>& factors) {
    const PerAxis<Index> matrix = problem.context().matrix_size();
    return sum_over_axes(problem, [&](int axis, double frequency) {
        return matrix[axis] > 1 ? square_of_difference(factors[axis], frequency) : 0.0;
    });
}

/// The smallest one but 0.
double least_of_differences(const FrameProblem& problem, const PerAxis<double>& factors) {
    const PerAxis<Index> matrix = problem.context().matrix_size(), grid = circulant_grid(matrix);
    double least = std::numeric_limits<double>::infinity();
    for (const int axis : axes_with_neighbours(matrix)) {
        least = std::min(least, square_of_difference(factors[axis], 1 / static_cast<double>(grid[axis])));
    }
    return least;
}

}  // namespace

SharpenedGradient::SharpenedGradient(const FrameProblem& problem, const ScanTerm& of_spectrum)
    : axis_factors_(factors_of(problem)),
      differences_(problem.backend(), problem.image_shape(), axis_factors_, problem.context().options.precision) {
    std::vector<double> spectrum = spectrum_of_differences(problem, axis_factors_);
    const double least = least_of_differences(problem, axis_factors_);
    const double power = sharpness(problem.context().matrix_size());
    auto squares = unwritten_vector<double>(spectrum.size());  // h^2, but for its unit
#pragma omp parallel for schedule(static)
    for (std::size_t at = 0; at < squares.size(); ++at) {  // at k = 0, where D is 0, with the smallest D
        const double rarity = (*of_spectrum.spectrum)[at] / of_spectrum.variance(at);
        squares[at] = std::pow(rarity / std::max(spectrum[at], least), power);
    }
    const EvenGrid& grid = of_spectrum.grid;
    const auto [sum] = ordered_sums<1>(grid.point_count(), [&](Index first, Index end, std::array<double, 1>& part) {
        grid.visit(first, end, [&](Index, Index at) { part[0] += squares[static_cast<std::size_t>(at)]; });
    });
    const double mean = sum / static_cast<double>(grid.point_count());
    filter_ = std::make_shared<const CirculantFilter>(
        problem.image_shape(),
        even_array(problem.backend(), circulant_grid(problem.context().matrix_size()),
                   problem.context().options.precision, [&](std::size_t at) { return std::sqrt(squares[at] / mean); }));
#pragma omp parallel for schedule(static)
    for (std::size_t at = 0; at < spectrum.size(); ++at) {
        spectrum[at] *= squares[at] / mean;
    }
    spectrum_ = std::make_shared<const std::vector<double>>(std::move(spectrum));
}

Array SharpenedGradient::of(ConstArrayView x) const {
    Array filtered(differences_.backend(), differences_.domain(), differences_.precision());
    filter_->forward(x, filtered);
    Array result(differences_.backend(), differences_.codomain(), differences_.precision());
    differences_.forward(filtered, result);
    return result;
}

}  // namespace recon
