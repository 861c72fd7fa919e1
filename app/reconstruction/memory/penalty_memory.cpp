#include "app/reconstruction/memory/penalty_memory.hpp"

#include <algorithm>

#include "core/base/shape.hpp"
#include "core/operators/penalties/edge_weights.hpp"

namespace recon {
namespace {

std::size_t voxel_count(const PerAxis<Index>& matrix_size) { return Shape::image(matrix_size).element_count(); }

}  // namespace

PlanBytes penalty_bytes(const ReconstructOptions& options, const PerAxis<Index>& matrix_size, Index frame_count) {
    const RegularisationOptions& regularisation = options.regularisation;
    PlanBytes bytes{};
    if (regularisation.is_quadratic()) {
        return bytes;
    }
    const std::size_t images = frame_count * voxel_count(matrix_size) * complex_bytes(options.precision);
    const std::size_t axes = std::max<std::size_t>(1, axes_with_neighbours(matrix_size).size());
    for (const PriorTermOptions& term : regularisation.terms) {
        if (term.kind == PriorKind::total_variation) {
            bytes.held += 3 * axes * images;
            bytes.running = std::max(bytes.running, frame_count > 1 ? axes * images + images : images);
        } else if (term.kind == PriorKind::wavelet) {
            bytes.held += 4 * images;
        } else if (term.kind == PriorKind::local_low_rank) {
            bytes.held += 3 * images;
            // a GPU's matrices for the blocks that are worked on, where frames are many: cuda_local_low_rank.cu
            bytes.running = std::max<std::size_t>(
                bytes.running, frame_count > 35 ? 512 * (2 * frame_count + 3) * frame_count * sizeof(cdouble) : 0);
        }
    }
    // Right-hand side, work array, product with the couplings; projections onto a mask.
    bytes.running += (regularisation.images->mask ? 3 + 2 * std::max<std::size_t>(1, axes) : 3) * images;
    return bytes;
}

std::size_t penalty_host_bytes(const ReconstructOptions& options, const PerAxis<Index>& matrix_size) {
    return options.regularisation.is_quadratic() ? 0 : voxel_count(matrix_size) * (sizeof(cfloat) + sizeof(float));
}

}  // namespace recon
