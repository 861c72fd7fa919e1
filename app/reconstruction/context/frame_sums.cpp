#include "app/reconstruction/context/frame_sums.hpp"

#include "core/operators/q_kernel.hpp"

namespace recon {

FrameSums FrameSums::choose(const Backend& backend, const ReconstructOptions& options, PerAxis<Index> matrix_size,
                            Index sample_count, Index coil_count) {
    return {sample_count,
            choose_sums(backend, options.sums_options(), sample_count, VoxelGrid::image(matrix_size), coil_count),
            choose_q_sums(backend, sample_count, matrix_size, options.q_options()), 0, 0};
}

}  // namespace recon
