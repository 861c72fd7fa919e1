#pragma once

#include <string>

#include "data/reading/stored/stored_image.hpp"

namespace recon {

/// Reads an image or a series from any HDF5 file: the project's own, an MRD array, or numbers, real or complex, with
/// the axes [... z y x]. Axes before z become frames. The field of view is taken where the file has
/// `field_of_view_mm` as the project writes it; labels and positions are not read.
/// @param dataset  path in the file, such as "/baseline/image"; empty: `/image`, else `/dataset/image` (MRD), else the
/// only dataset there is
/// @throws InputError if there is no such dataset, naming those that exist, or it holds no numbers
StoredImage read_image(const std::string& path, const std::string& dataset = "");

}  // namespace recon
