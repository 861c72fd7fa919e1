#include "app/reconstruction/check/coils/lack_at_centre.hpp"

#include <fmt/format.h>

#include "app/reconstruction/coils/calibration_place.hpp"
#include "app/reconstruction/coils/how_coils_are_told.hpp"
#include "core/mri/check/centre_gap.hpp"

namespace recon {

std::string lack_at_centre(const Scan& scan, const Frame& first, Backend& backend) {
    std::string gap = gap_at_centre(scan, first);
    if (!gap.empty() || !estimates_maps_of_its_frames(scan)) {
        return gap;
    }
    const PerAxis<Index>& matrix_size = scan.geometry.matrix_size;
    const MeasuredRegion measured =
        CalibrationRegion::covered_by(*first.trajectory, matrix_size, largest_calibration_radius);
    if (measured.is_covered ||
        how_coils_are_told(backend, *first.trajectory, matrix_size) != CoilsAreTold::not_at_all) {
        return "";
    }
    return fmt::format(
        "only {:.0f} % of the centre of k-space is measured, so regularly that the object comes again beside itself: "
        "coil maps that are estimated from it are aliased, and the predicted error does not know; give those of a "
        "calibration scan (`coil_maps` FILE)",
        100 * measured.part);
}

}  // namespace recon
