#include "core/cpu/cpu_memory_model.hpp"

#include <algorithm>

#include "core/cpu/lanes.hpp"
#include "core/cpu/toeplitz_embedding.hpp"

namespace recon {

PlanBytes cpu_toeplitz_bytes(const Shape& image_shape, Index coil_count, Precision precision, Precision q_precision,
                             Index thread_count) {
    const ToeplitzEmbedding embedding(image_shape, precision);
    const ToeplitzScratch scratch(embedding, coil_count, thread_count);
    const std::size_t spectrum = static_cast<std::size_t>(embedding.spectrum_size()) * complex_bytes(precision) / 2;
    const std::size_t scratch_bytes = static_cast<std::size_t>(scratch.total_size) * 2 * register_bytes;
    return {spectrum + scratch_bytes, std::max(embedding.spectrum_work_bytes(q_precision), scratch_bytes) -
                                          scratch_bytes};  // scratch is allocated later, by the first apply
}

PlanBytes cpu_padded_fft_bytes(const PaddedFftGeometry& geometry, Precision, Index thread_count) {
    const Index longest = std::max({geometry.grid_size[0], geometry.grid_size[1], geometry.grid_size[2]});
    return {static_cast<std::size_t>((longest + 1) * thread_count) * 2 * register_bytes, 0};
}

}  // namespace recon
