#include "app/reconstruction/coils/calibration_place.hpp"

#include "app/reconstruction/coils/coil_calibration.hpp"
#include "core/mri/echo_centre.hpp"

namespace recon {
namespace {

MeasuredRegion of_given_radius(double radius, const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    const CalibrationRegion region = CalibrationRegion::of_radius(matrix_size, radius);
    return {region, region.part_covered_by(trajectory)};
}

}  // namespace

double radius_of_joint_calibration(const PerAxis<Index>& matrix_size) {
    constexpr double of_volumes = 8;
    return is_volume(matrix_size) ? of_volumes : largest_calibration_radius;
}

CalibrationPlace calibration_place(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                                   const CoilOptions& options) {
    CalibrationPlace place;
    if (!kspace.is_empty()) {
        place.centre = echo_centre(*frame.trajectory, kspace, matrix_size);
    }
    const std::shared_ptr<const Trajectory> trajectory = relative_to(place.centre, frame.trajectory);
    place.measured = options.calibration_radius > 0
                         ? of_given_radius(options.calibration_radius, *trajectory, matrix_size)
                         : CalibrationRegion::covered_by(*trajectory, matrix_size, largest_calibration_radius);
    place.sample_count = std::ssize(calibration_sample_indices(place.measured.region, *trajectory));
    place.whole = options.calibration_radius > 0
                      ? place.measured.region
                      : CalibrationRegion::of_radius(matrix_size, radius_of_joint_calibration(matrix_size));
    place.whole_sample_count = place.whole.radius == place.measured.region.radius
                                   ? place.sample_count
                                   : std::ssize(calibration_sample_indices(place.whole, *trajectory));
    return place;
}

CalibrationPlace CalibrationPlaces::of(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                                       const CoilOptions& options) {
    if (const auto found = places_.find(&frame); found != places_.end()) {
        return found->second;
    }
    const CalibrationPlace place = calibration_place(frame, kspace, matrix_size, options);
    if (!kspace.is_empty()) {
        places_.emplace(&frame, place);
    }
    return place;
}

}  // namespace recon
