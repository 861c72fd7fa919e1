#include "app/reconstruction/memory/scan_prior_memory.hpp"

#include <algorithm>

#include "core/operators/penalties/edge_weights.hpp"
#include "core/operators/preconditioners/circulant_preconditioner.hpp"

namespace recon {

ScanPriorBytes scan_prior_bytes(const Backend& backend, const ReconstructOptions& options, PerAxis<Index> matrix_size,
                                Index sample_count, Index coils_at_once, std::size_t piece_bytes) {
    if (options.regularisation.scan == ScanPrior::none) {
        return {};
    }
    const std::size_t complex = complex_bytes(options.precision);
    const auto voxels = static_cast<std::size_t>(Shape::image(matrix_size).element_count());
    const auto points = static_cast<std::size_t>(Shape::image(circulant_grid(matrix_size)).element_count());
    const std::size_t axes = std::max<std::size_t>(1, axes_with_neighbours(matrix_size).size());
    const std::size_t image = voxels * complex;
    const std::size_t grid = points * complex;
    const CirculantBytes circulant = circulant_bytes(backend, matrix_size, options.precision);
    const std::size_t batch = static_cast<std::size_t>(sample_count * coils_at_once);

    ScanPriorBytes bytes;
    bytes.held = 2 * image + std::max(grid + circulant.running, axes * image);
    bytes.making = circulant.making;
    const std::size_t white = std::max(grid, axes * image);
    const auto conversion = [&](std::size_t size) { return backend.plan_sizes().conversion(size, piece_bytes); };
    // Images of the spectrum and of before, noise, right side, part of it, restriction to a mask, product with the
    // term, and numbers on their way.
    bytes.solving = circulant.running + (static_cast<std::size_t>(cg_array_count(options.cg, true)) + 7) * image +
                    grid + white + conversion(2 * std::max(points, axes * voxels) * sizeof(cdouble));
    bytes.drawing = batch * complex + conversion(batch * sizeof(cfloat));
    bytes.host = 8 * points * sizeof(double) + (6 + 6 * axes) * voxels * sizeof(double) + batch * sizeof(cfloat) +
                 2 * static_cast<std::size_t>(sample_count) * sizeof(double);
    return bytes;
}

}  // namespace recon
