#include "app/reconstruction/context/frame_sums.hpp"

#include <omp.h>

#include "core/operators/q_kernel.hpp"

namespace recon {
namespace {

/// Transforms of a frame's coils that need be right beside the noise alone: the residual; with the scan's prior the
/// start image, and the residuals of a turn and two passes.
Index uses_beside_noise(const ReconstructOptions& options) {
    return options.regularisation.scan == ScanPrior::none ? 1 : 5;
}

/// Of one thread: below it, to choose and to hold another plan takes as long.
constexpr double least_gain_s = 0.01;

/// Predicted seconds are those of all threads of the host. What is chosen, and with it the image to its last digits,
/// must not depend on how many there are.
double of_one_thread(const Backend& backend, double seconds) {
    return backend.memory_is_host() ? seconds * omp_get_max_threads() : seconds;
}

/// Where another plan, and so many transforms by it, should take less than these by the one that there is.
/// @param of_image  that one
std::optional<SumsChoice> choose_beside_noise(const Backend& backend, const ReconstructOptions& options,
                                              const SamplingDesign& of_image) {
    const SamplingSite& site = of_image.site();
    SumsOptions looser = options.sums_options();
    looser.tolerance = options.tolerance_beside_noise();
    const Index count = uses_beside_noise(options) * site.transform_count;
    const double without_plan = of_one_thread(
        backend, of_image.predicted_seconds(backend, 2 * count) - of_image.predicted_seconds(backend, count));
    if (!(looser.tolerance > site.tolerance) || without_plan < 2 * least_gain_s) {
        return std::nullopt;
    }
    SumsChoice choice = choose_sums(backend, looser, site.sample_count, site.grid, count);
    return of_one_thread(backend, choice.seconds) + least_gain_s < without_plan ? std::optional(std::move(choice))
                                                                                : std::nullopt;
}

}  // namespace

FrameSums FrameSums::choose(const Backend& backend, const ReconstructOptions& options, PerAxis<Index> matrix_size,
                            Index sample_count, Index coil_count) {
    SumsChoice image =
        choose_sums(backend, options.sums_options(), sample_count, VoxelGrid::image(matrix_size), coil_count);
    std::optional<SumsChoice> beside_noise = choose_beside_noise(backend, options, *image.design);
    return {sample_count,
            std::move(image),
            choose_q_sums(backend, sample_count, matrix_size, options.q_options()),
            std::move(beside_noise),
            0,
            0};
}

}  // namespace recon
