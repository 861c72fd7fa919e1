#pragma once

#include <string>

#include "data/reading/image_reader.hpp"

namespace recon {

/// Reads an image with what its file says of its size and place, to be resampled onto another grid:
///
/// NIfTI-1 (recognised by content; data/formats/nifti/nifti_reader.hpp), or HDF5: the project's own image file, an
/// array of the project's own scan file, an MRD array, or plain numbers with the axes [... z y x]. Field of view and
/// orientation come from the dataset's attributes as the project writes them (docs/output-formats.md), else, in the
/// project's scan files and where the matrix is the scan's, from the scan; unknown otherwise. Real images have
/// imaginary parts of 0.
/// @param dataset  path in an HDF5 file; empty: as `read_image` finds it. Not for NIfTI files.
/// @throws InputError if the file is missing, damaged or neither, or has no such dataset
StoredImage read_placed_image(const std::string& path, const std::string& dataset = "");

class H5File;

/// The geometry that an HDF5 file gives a dataset, as above; `matrix_size` is the dataset's.
Geometry placed_geometry(const H5File& file, const std::string& dataset, PerAxis<Index> matrix_size);

}  // namespace recon
