#pragma once

#include <string>

namespace recon {

/// What a file holds, in plain text of several lines: for a scan its frames, coils, matrix, field of view, trajectory
/// range and unit, times and maps; for any other HDF5 file the objects in it.
/// @throws InputError if it can be read by no reader here
std::string describe_file(const std::string& path);

}  // namespace recon
