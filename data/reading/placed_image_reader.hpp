#pragma once

#include <string>

#include "data/reading/format.hpp"
#include "data/reading/image_reader.hpp"

namespace recon {

/// What reads images of this file. @throws InputError if it is missing, or nothing does
const Format& image_format_of(const std::string& path);

/// Reads an image with what its file says of its size and place, to be resampled onto another grid:
///
/// in any format that is registered (format.hpp), recognised by content: NIfTI-1, or HDF5: the project's own image
/// file, an array of the project's own scan file, an MRD array, or plain numbers with the axes [... z y x]. Field of
/// view and orientation come from the dataset's attributes as the project writes them (docs/output-formats.md), else,
/// in the project's scan files and where the matrix is the scan's, from the scan; unknown otherwise. Real images have
/// imaginary parts of 0.
/// @param path  FILE, or FILE:/dataset
/// @param dataset  path in an HDF5 file; empty: as `path` or `read_image` has it. Not for NIfTI files.
/// @throws InputError if the file is missing, damaged or neither, or has no such dataset
StoredImage read_placed_image(const std::string& path, const std::string& dataset = "");

}  // namespace recon
