#include "app/reconstruction/memory/prior_memory.hpp"

#include <algorithm>

#include "core/base/shape.hpp"
#include "core/operators/penalties/edge_weights.hpp"

namespace recon {

PriorMemory prior_memory(const ReconstructOptions& options, const PerAxis<Index>& matrix_size, Index frame_count) {
    const RegularisationOptions& regularisation = options.regularisation;
    const std::size_t voxels = Shape::image(matrix_size).element_count();
    const std::size_t image = voxels * complex_bytes(options.precision);
    const std::size_t images = frame_count * image;
    const bool masked = regularisation.images->mask.has_value();
    const PriorSizes sizes{matrix_size, frame_count, image, masked, regularisation.report, *regularisation.images};
    PriorMemory memory;
    memory.squares.running = regularisation.terms.size() * image;
    if (masked) {
        memory.squares.held += 2 * image;
        memory.squares.running += image;
        memory.host += 2 * voxels * sizeof(float);
    }
    for (const PriorTermOptions& term : regularisation.terms) {
        const PriorKind& kind = term.kind();
        const PriorBytes bytes = kind.bytes != nullptr ? kind.bytes(sizes) : PriorBytes{};
        memory.host += bytes.host;
        if (kind.quadratic) {
            memory.squares.held += bytes.held;
            memory.squares.running += bytes.running;
        } else {
            memory.penalties.held += bytes.held + 3 * images;
            memory.penalties.running = std::max(memory.penalties.running, bytes.running);
        }
    }
    if (!regularisation.is_quadratic()) {
        // Right-hand side, work array, product with the couplings; projections onto a mask.
        const std::size_t axes = std::max<std::size_t>(1, axes_with_neighbours(matrix_size).size());
        memory.penalties.running += (masked ? 3 + 2 * axes : 3) * images;
        memory.host_of_frame = voxels * (sizeof(cfloat) + sizeof(float));  // what the amplitude is found from
    }
    return memory;
}

}  // namespace recon
