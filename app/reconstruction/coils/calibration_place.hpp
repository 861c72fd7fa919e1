#pragma once

#include <map>

#include "app/reconstruction/options/coil_options.hpp"
#include "core/mri/all_coils.hpp"
#include "core/mri/coils/calibration_region.hpp"

namespace recon {

/// Where in a frame's k-space coil maps are estimated from.
struct CalibrationPlace {
    PerAxis<double> centre{0, 0, 0};  ///< as echo_centre, cycles per FOV
    MeasuredRegion measured;          ///< about it
    Index sample_count = 0;           ///< as calibration_sample_indices
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
