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

GriddingGeometry psi_geometry(PerAxis<Index> matrix_size) {
    GriddingGeometry geometry{{}, {}, GriddingKernel::for_tolerance(kernel_tolerance, oversampling)};
    for (int axis = 0; axis < 3; ++axis) {
        const Index n = matrix_size[axis];
        geometry.grid_size[axis] = n == 1 ? 1 : next_fft_size(static_cast<Index>(oversampling * n));
        geometry.grid_steps[axis] = static_cast<double>(geometry.grid_size[axis]) / static_cast<double>(n);
    }
    return geometry;
}

}  // namespace

std::vector<double> pipe_menon_weights(Backend& backend, const Trajectory& trajectory, PerAxis<Index> matrix_size,
                                       int iterations) {
    const GriddingGeometry geometry = psi_geometry(matrix_size);
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
