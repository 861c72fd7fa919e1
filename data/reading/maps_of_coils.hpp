#pragma once

#include <optional>
#include <span>
#include <string>

#include "data/files/hdf5_file.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {

/// Reads the scan's coil maps from a dataset of HDF5 as they lie there; or, where its slowest axis is the coil but for
/// one of length 1, sees to it that they can be read by coils, if the scan is to be held in parts.
void read_maps_of_coils(const H5File& file, const std::string& dataset, KspaceReading reading, StoredScan& stored);

/// Puts maps that a reader took as they lie in the file, `coil_map_extents`, into the order of a scan in memory.
/// @param stored  with its matrix. @throws InputError if they do not fit the scan
void arrange_coil_maps(StoredScan& stored);

/// The image's matrix by the axes of coil maps, of one slice: the last ones, of three or two axes of space.
/// @param extents  slowest first
/// @return nothing where the coils are not before them
std::optional<PerAxis<Index>> matrix_of_coil_maps(std::span<const Index> extents, Index coil_count);

}  // namespace recon
