#include "app/reconstruction/coils/calibration_gaps.hpp"

#include <cmath>
#include <utility>

#include "core/base/log.hpp"
#include "core/mri/coils/espirit.hpp"

namespace recon {
namespace {

/// |a - b| / |b|
double distance(const CalibrationKspace& a, const CalibrationKspace& b) {
    double difference = 0, all = 0;
    for (std::size_t i = 0; i < b.values.size(); ++i) {
        difference += std::norm(a.values[i] - b.values[i]);
        all += std::norm(b.values[i]);
    }
    return all > 0 ? std::sqrt(difference / all) : 0;
}

}  // namespace

bool has_gaps_to_fill(const CalibrationSamples& samples) {
    constexpr double least = 0.15, most = 0.55;  // docs/decisions/0022-gaps-of-calibrations.md
    const double part = samples.region.part_empty_of(samples.trajectory);
    return samples.coil_count > 1 && part > least && part <= most &&
           samples.region.part_covered_by(samples.trajectory) >= least_part_covered;
}

CalibrationKspace filled_kspace(const CalibrationProblem& problem, Array coil_images) {
    constexpr int turns = 20, first_iterations = 5, coil_iterations = 20;
    // The kernel's points times the coils are the columns of ESPIRiT's matrix: of a volume too many for more coils.
    constexpr Index many_coils = 12;
    const bool is_volume = problem.matrix()[2] > 1;
    const EspiritOptions options{.kernel_width = is_volume && problem.coil_count() > many_coils ? 2 : 3, .crop = 0};
    const CalibrationKspace alone = problem.kspace_of(coil_images);
    CalibrationKspace filled = alone;
    double moved = 0;
    for (int turn = 0; turn < turns; ++turn) {
        {
            const std::vector<cfloat> found = espirit_maps(filled, problem.matrix(), options);
            Array maps(problem.backend(), coil_images.shape(), coil_images.precision());
            upload(found, maps);
            const CoilSensitivity coils(std::move(maps));
            const Array image = problem.image_through(coils, first_iterations + turn);
            coils.forward(image, 0, coil_images);
        }
        problem.improve(coil_images, coil_iterations);
        const CalibrationKspace before = std::exchange(filled, problem.kspace_of(coil_images));
        moved = distance(before, filled);
    }
    constexpr double at_rest = 0.05;  // a tenth of that is usual
    if (moved > at_rest) {
        log_warning(
            "coil maps: what the coils show between samples does not settle ({:.0f} % a turn) and is left out: maps of "
            "so few samples at the centre of k-space may be wrong; give `coil_maps` FILE",
            100 * moved);
        return alone;
    }
    log_info("coil maps: between samples, the centre of k-space is filled by what all coils show");
    return filled;
}

}  // namespace recon
