#pragma once

#include <string>

#include "app/reconstruction/options/coil_options.hpp"
#include "core/mri/scan.hpp"

namespace recon {

/// The file that `coil_maps` names; empty where it names a method, or nothing.
std::string file_of_coil_maps(const std::string& coil_maps);

/// Reads what the user named for the coils: maps or how to estimate them, the body coil's image, the noise covariance.
/// @param coil_maps  a file, whose maps become the scan's; "espirit", "walsh" or "nlinv"; or empty
/// @param body_coil_path  may be empty
/// @throws InputError if a file is missing, or what it holds is for another scan
void read_coil_inputs(Scan& scan, const std::string& coil_maps, const std::string& body_coil_path,
                      CoilOptions& options);

}  // namespace recon
