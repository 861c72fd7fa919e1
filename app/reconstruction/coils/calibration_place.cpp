#include "app/reconstruction/coils/calibration_place.hpp"

#include "app/reconstruction/coils/coil_calibration.hpp"
#include "core/mri/echo_centre.hpp"

namespace recon {
namespace {

constexpr double largest_radius = 12;

MeasuredRegion of_given_radius(double radius, const Trajectory& trajectory, const PerAxis<Index>& matrix_size) {
    const CalibrationRegion region = CalibrationRegion::of_radius(matrix_size, radius);
    return {region, region.part_covered_by(trajectory)};
}

}  // namespace

CalibrationPlace calibration_place(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                                   const CoilOptions& options) {
    CalibrationPlace place;
    if (!kspace.is_empty()) {
        place.centre = echo_centre(*frame.trajectory, kspace, matrix_size);
    }
    const std::shared_ptr<const Trajectory> trajectory = relative_to(place.centre, frame.trajectory);
    place.measured = options.calibration_radius > 0
                         ? of_given_radius(options.calibration_radius, *trajectory, matrix_size)
                         : CalibrationRegion::covered_by(*trajectory, matrix_size, largest_radius);
    place.sample_count = std::ssize(calibration_sample_indices(place.measured.region, *trajectory));
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
