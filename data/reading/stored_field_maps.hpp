#pragma once

#include <string>
#include <vector>

#include "data/reading/scan_reader.hpp"

namespace recon {

/// Sees to it that a field map that a reader took as it lies in the file, `field_map_extents`, is of the image's
/// matrix; of several slices it keeps those that the scan has. @throws InputError if it is not, or a slice has none
void arrange_field_maps(StoredScan& stored);

/// Extents of a scan's maps of off-resonance or R2* in a file, slowest first: [z y x], or [slice z y x]; axes so named.
/// @throws ShapeError if they are of slices that are not counted from 0, or do not fill them
std::vector<Index> extents_of_field_maps(const Scan& scan, const std::vector<float>& maps);
std::vector<std::string> axes_of_field_maps(const Scan& scan);

}  // namespace recon
