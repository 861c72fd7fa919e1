#pragma once

#include <string>

#include "data/files/hdf5_file.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {

/// Reads the scan's coil maps from a dataset of HDF5 whose slowest axis is the coil, but for one of length 1; or sees
/// to it that they can be read by coils, where the scan is to be held in parts.
void read_maps_of_coils(const H5File& file, const std::string& dataset, KspaceReading reading, Scan& scan);

}  // namespace recon
