#pragma once

#include <string>
#include <vector>

#include "core/mri/scan.hpp"
#include "data/files/hdf5_file.hpp"
#include "data/reading/scan_reader.hpp"

namespace recon {

// What the project's own layout says of a scan beside its samples (docs/file-formats.md). All throw InputError.

/// @throws InputError if the layout is of another version
void check_version(const H5File& file);

/// Matrix, field of view and place; 0 where the file does not say.
Geometry read_geometry(const H5File& file);

/// `expected` places, or none where there is no such dataset.
std::vector<Orientation> read_orientations(const H5File& file, const std::string& dataset, Index expected);

/// Of the file; counted as repetitions where it has none.
std::vector<FrameLabel> read_labels(const H5File& file, Index frame_count);

/// Coil maps, field map and noise, where there are any.
/// @param stored  with its coils and its geometry
void read_maps(const H5File& file, StoredScan& stored, KspaceReading reading);

}  // namespace recon
