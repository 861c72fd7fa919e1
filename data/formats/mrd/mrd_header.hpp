#pragma once

#include <ismrmrd/xml.h>

#include <optional>
#include <string>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// The XML header of an MRD file. @throws InputError if it is no such header or describes no encoding
ISMRMRD::IsmrmrdHeader parse_mrd_header(const std::string& xml, const std::string& where);

/// A named user parameter, such as `trajectory_unit`.
std::optional<std::string> user_string(const ISMRMRD::IsmrmrdHeader& header, const std::string& name);

/// Echo time of a contrast in seconds: its own entry of the header's list, else the only one; nothing if unknown.
std::optional<double> echo_time_s(const ISMRMRD::IsmrmrdHeader& header, Index contrast);

/// What the header says of the measurement, echo times of these contrasts among it.
Measurement measurement_of(const ISMRMRD::IsmrmrdHeader& header, const std::vector<Index>& contrasts);

/// Matrix and field of view of the encoded space: trajectories cover its band, and samples outside the object of
/// interest (readout oversampling) stay part of the model.
Geometry encoded_geometry(const ISMRMRD::Encoding& encoding);

}  // namespace recon
