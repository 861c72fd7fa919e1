#include "core/mri/density_compensation.hpp"

#include <algorithm>
#include <cmath>

#include "core/base/cancel.hpp"

namespace recon {
namespace {

/// Two grid points a cycle per FOV: psi then falls to nearly nothing within the field of view's own k-space cell size.
constexpr double oversampling = 2;
/// A kernel of this accuracy is 3 to 4 grid points wide: a main lobe of about one cycle per FOV, as Pipe and Menon ask.
constexpr double kernel_tolerance = 1e-2;

double largest_modulus(const std::vector<double>& values) {
    double largest = 0;
#pragma omp parallel for schedule(static) reduction(max : largest)
    for (std::size_t m = 0; m < values.size(); ++m) {
        largest = std::max(largest, std::abs(values[m]));
    }
    return largest;
}

/// No larger than the samples reach.
GriddingGeometry psi_geometry(const Trajectory& trajectory, PerAxis<Index> matrix_size) {
    static const GriddingKernel kernel = GriddingKernel::for_tolerance(kernel_tolerance, oversampling);
    GriddingGeometry geometry{{}, {}, kernel};
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = matrix_size[axis];
        const Index whole = n == 1 ? 1 : next_fft_size(static_cast<Index>(oversampling * n));
        geometry.grid_steps[axis] = static_cast<double>(whole) / static_cast<double>(n);
        const double reach = largest_modulus(trajectory.k[axis]) * geometry.grid_steps[axis] + geometry.kernel.width;
        geometry.grid_size[axis] = 2 * reach < static_cast<double>(whole)
                                       ? std::min(whole, next_fft_size(static_cast<Index>(std::ceil(2 * reach))))
                                       : whole;
    }
    return geometry;
}

}  // namespace

std::vector<double> pipe_menon_weights(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                                       int iterations) {
    const GriddingGeometry geometry = psi_geometry(trajectory, matrix_size);
    double psi_scale = 1;  // makes the integral of psi over k (cycles/FOV) equal 1
    for (int axis = 0; axis < 3; ++axis) {
        if (matrix_size[axis] > 1) {
            psi_scale *= geometry.grid_steps[axis] / std::pow(geometry.kernel.transform(0), 2);
        }
    }
    const auto gridding = backend.make_gridding(trajectory, geometry, Precision::single);
    const Shape samples = Shape::samples(trajectory.sample_count()).with_axis("batch", 1);
    Array grid(backend, Shape::image(geometry.grid_size).with_axis("batch", 1), Precision::single);
    Array weights(backend, samples, Precision::single);
    Array density(backend, samples, Precision::single);

    backend.fill(1, weights);
    for (int iteration = 0; iteration < iterations; ++iteration) {
        cancel_of_this_thread().check();
        gridding->spread(weights, grid);
        gridding->interpolate(grid, density);
        backend.scale(psi_scale, density);
        backend.divide(weights, density, weights);
    }
    const std::vector<cfloat> w = download<float>(weights);
    std::vector<double> result(w.size());
    std::transform(w.begin(), w.end(), result.begin(), [](cfloat value) { return value.real(); });
    return result;
}

}  // namespace recon
