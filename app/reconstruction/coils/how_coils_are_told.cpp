#include "app/reconstruction/coils/how_coils_are_told.hpp"

#include "app/reconstruction/coils/calibration_place.hpp"
#include "core/base/log.hpp"

namespace recon {

CoilsAreTold how_coils_are_told(const CalibrationProblem& problem) {
    constexpr double most_left_open = 0.15;
    constexpr double most_of_a_replica = 0.5;  // spirals of a quarter of their turns leave .26, lattices .9 to 1
    const double open = problem.part_left_open();
    if (open <= most_left_open) {
        return CoilsAreTold::alone;
    }
    const double replica = problem.largest_replica();
    log_debug(
        "coil maps: of each coil alone the samples leave {:.1f} % of the centre of k-space open, a point comes again "
        "with {:.2f} of its size",
        100 * open, replica);
    return replica < most_of_a_replica ? CoilsAreTold::together : CoilsAreTold::not_at_all;
}

CoilsAreTold how_coils_are_told(Backend& backend, const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    const CalibrationRegion region =
        CalibrationRegion::covered_by(trajectory, matrix_size, radius_of_joint_calibration(matrix_size)).region;
    CalibrationSamples samples{region, {}, {}, 1};
    for (const Index m : calibration_sample_indices(region, trajectory)) {
        for (int axis = 0; axis < 3; ++axis) {
            samples.trajectory.k[axis].push_back(region.radius[axis] > 0 ? trajectory.k[axis][m] : 0);
        }
        samples.kspace.emplace_back(1);
    }
    return samples.kspace.empty()
               ? CoilsAreTold::not_at_all
               : how_coils_are_told(CalibrationProblem(backend, samples, {}, rough_calibration_sums));
}

bool estimates_maps_of_its_frames(const Scan& scan) {
    return scan.coil_count > 1 && scan.coil_maps.empty() && scan.read_coil_maps == nullptr && scan.calibration.empty();
}

}  // namespace recon
