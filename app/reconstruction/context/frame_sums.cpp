#include "app/reconstruction/context/frame_sums.hpp"

#include "core/operators/q_kernel.hpp"

namespace recon {
namespace {

/// Transforms of a frame's coils that need be right beside the noise alone: the residual; with the scan's prior the
/// start image, and the residuals of a turn and two passes.
Index uses_beside_noise(const ReconstructOptions& options) {
    return options.regularisation.scan == ScanPrior::none ? 1 : 5;
}

/// Where another plan, and so many transforms by it, should take less than these by the plan that there is.
std::optional<SumsChoice> choose_beside_noise(const Backend& backend, const ReconstructOptions& options,
                                              Index sample_count, const VoxelGrid& grid, Index coil_count) {
    const SumsOptions of_image = options.sums_options();
    SumsOptions beside_noise = of_image;
    beside_noise.tolerance = options.q_options().tolerance;
    if (!(beside_noise.tolerance > of_image.tolerance)) {
        return std::nullopt;
    }
    const Index count = uses_beside_noise(options) * coil_count;
    SumsChoice choice = choose_sums(backend, beside_noise, sample_count, grid, count);
    const double without_plan = choose_sums(backend, of_image, sample_count, grid, 2 * count).seconds -
                                choose_sums(backend, of_image, sample_count, grid, count).seconds;
    return choice.seconds < without_plan ? std::optional(std::move(choice)) : std::nullopt;
}

}  // namespace

FrameSums FrameSums::choose(const Backend& backend, const ReconstructOptions& options, PerAxis<Index> matrix_size,
                            Index sample_count, Index coil_count) {
    const VoxelGrid grid = VoxelGrid::image(matrix_size);
    return {sample_count,
            choose_sums(backend, options.sums_options(), sample_count, grid, coil_count),
            choose_q_sums(backend, sample_count, matrix_size, options.q_options()),
            choose_beside_noise(backend, options, sample_count, grid, coil_count),
            0,
            0};
}

}  // namespace recon
