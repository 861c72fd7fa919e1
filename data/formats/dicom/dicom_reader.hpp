#pragma once

#include <string>

#include "core/mri/image.hpp"

namespace recon {

/// True for a DICOM file, and for a folder with one in it.
bool looks_like_dicom(const std::string& path);

/// Reads the image of one DICOM file, or of a folder with the files of one series, of which those below it are no part.
/// Slices that are parallel and evenly spaced become a volume; what lies where a slice before it lies is of the next
/// one. Others stay as they are, each in its place. DICOM's coordinates are our LPS: a voxel lies where the standard
/// puts it (PS3.3, C.7.6.2.1.1). Without places a file's frames are in the order of its own stack and time, else
/// slices.
/// @param series  number of the series in a folder, as in "/5"; empty: the only one
/// @throws InputError for what cannot be read, several series, and slices of unequal size
Image read_dicom(const std::string& path, const std::string& series = "");

}  // namespace recon
