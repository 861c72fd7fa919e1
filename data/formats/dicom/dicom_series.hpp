#pragma once

#include <string>
#include <vector>

#include "data/formats/dicom/dicom_file.hpp"

namespace recon {

/// The files that one image is made of, in the order in which they were made (instance numbers, then names): a file by
/// itself, or those of a series in a folder, where what has no pixels is left out.
/// @param series  number of the series, as in "/5"; empty: the only one
/// @throws InputError if there are several series, naming them, or none
std::vector<DicomFile> dicom_series(const std::string& path, const std::string& series);

}  // namespace recon
