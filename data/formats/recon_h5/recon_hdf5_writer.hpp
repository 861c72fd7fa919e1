#pragma once

#include <string>

#include "core/mri/scan.hpp"

namespace recon {

/// Writes a scan in the project's own HDF5 layout (docs/file-formats.md), in cycles per field of view.
///
/// What the scan does not have (weights, times, maps, noise, orientation) is left out.
/// @throws InputError if the file cannot be written; ShapeError if the scan contradicts itself
void write_scan(const Scan& scan, const std::string& path);

}  // namespace recon
