#pragma once

#include <string>

#include "data/reading/scan_reader.hpp"

namespace recon {

/// What a file holds, in plain text of several lines: for a scan its frames, coils, matrix, field of view, trajectory
/// range and unit, times and maps; for an image its size, geometry and values; for any HDF5 file but a scan the objects
/// in it, for FILE:/dataset that array alone. What is missing is said with the option that gives it.
/// @param name  a file or folder; FILE:/dataset: an image or maps in it, FOLDER:/5: a series of DICOM's by its number
/// @param options  of the scan, as they would be given to the reconstruction
/// @throws InputError if it can be read by no reader here
std::string describe_file(const std::string& name, const ScanReadOptions& options = {});

}  // namespace recon
