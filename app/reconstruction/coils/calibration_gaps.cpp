#include "app/reconstruction/coils/calibration_gaps.hpp"

#include "core/base/log.hpp"
#include "core/mri/coils/espirit.hpp"

namespace recon {

bool has_gaps_to_fill(const CalibrationSamples& samples) {
    constexpr double least = 0.05, most = 0.55;  // docs/decisions/0022-gaps-of-calibrations.md
    const double part = samples.region.part_empty_of(samples.trajectory);
    const bool fills = samples.coil_count > 1 && part > least && part <= most;
    if (fills) {
        log_info(
            "coil maps: {:.0f} % of the centre of k-space lies between samples, and is filled by what all coils show",
            100 * part);
    }
    return fills;
}

void fill_gaps(const CalibrationProblem& problem, Array& coil_images) {
    constexpr int turns = 20, first_iterations = 5, coil_iterations = 20;
    constexpr Index many_coils = 12;  // the kernel's points times the coils are the columns of ESPIRiT's matrix
    const EspiritOptions options{.kernel_width = problem.coil_count() > many_coils ? 2 : 3, .crop = 0};
    for (int turn = 0; turn < turns; ++turn) {
        {
            const std::vector<cfloat> found = espirit_maps(problem.kspace_of(coil_images), problem.matrix(), options);
            Array maps(problem.backend(), coil_images.shape(), coil_images.precision());
            upload(found, maps);
            const CoilSensitivity coils(std::move(maps));
            const Array image = problem.image_through(coils, first_iterations + turn);
            coils.forward(image, 0, coil_images);
        }
        problem.improve(coil_images, coil_iterations);
    }
}

}  // namespace recon
