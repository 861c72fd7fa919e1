#pragma once

#include <map>

#include "app/reconstruction/options/coil_options.hpp"
#include "core/mri/all_coils.hpp"
#include "core/mri/coils/calibration_region.hpp"

namespace recon {

/// Cycles per FOV; of what samples cover.
constexpr double largest_calibration_radius = 12;
/// Of what coils and image are found from together: as much, and in volumes, where that takes long, as much as shows
/// the coils (docs/decisions/0045-coils-and-image-together.md).
double radius_of_joint_calibration(const PerAxis<Index>& matrix_size);

/// Where in a frame's k-space coil maps are estimated from.
struct CalibrationPlace {
    PerAxis<double> centre{0, 0, 0};  ///< as echo_centre, cycles per FOV
    MeasuredRegion measured;          ///< about it
    Index sample_count = 0;           ///< in it, as calibration_sample_indices
    CalibrationRegion whole;          ///< about it, of radius_of_joint_calibration, however few samples cover that
    Index whole_sample_count = 0;     ///< likewise
};

/// @param kspace  of the frame; empty, as for a forecast: the echo is taken to be at 0. Where processes hold parts of
/// it all of them ask
CalibrationPlace calibration_place(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                                   const CoilOptions& options);

/// Those of a scan's frames, each looked for once: in the forecast, where k-space is in memory by then, else in the
/// run. Of one rank.
class CalibrationPlaces {
public:
    /// @param frame  of the scan  @param kspace  its own; what is found without is not kept
    CalibrationPlace of(const Frame& frame, const AllCoils& kspace, const PerAxis<Index>& matrix_size,
                        const CoilOptions& options);

private:
    std::map<const Frame*, CalibrationPlace> places_;
};

}  // namespace recon
