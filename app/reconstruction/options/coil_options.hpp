#pragma once

#include <optional>
#include <string>
#include <vector>

#include "core/base/types.hpp"
#include "core/mri/coils/coil_compression.hpp"

namespace recon {

enum class CoilMapMethod { espirit, walsh, nlinv };

/// What is done to the coils, and where their maps come from.
struct CoilOptions {
    /// Asked for, whatever maps the scan has; none: those of the scan, else for several coils ESPIRiT, or nonlinear
    /// inversion where samples leave the centre of k-space open.
    std::optional<CoilMapMethod> method = {};
    /// Radius of the calibration region in cycles per FOV; 0 takes what the trajectory covers, up to 12.
    double calibration_radius = 0;
    double crop = -1;  ///< eigenvalue of ESPIRiT below which maps are 0; below 0: chosen from the data
    bool prewhiten = true;
    std::vector<cdouble> noise_covariance =
        {};                                  ///< [coil coil], column-major; empty: from the noise scan, if there is one
    std::string noise_covariance_path = {};  ///< for messages
    std::vector<cfloat> body_coil_image = {};  ///< [x y z]; not empty: maps are relative to it
    std::vector<Index> left_out = {};  ///< coils of the scan, ascending; those that hold nothing but zeros always are
    CoilCompressionOptions compression = {};
};

}  // namespace recon
