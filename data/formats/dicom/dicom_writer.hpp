#pragma once

#include <string>

#include "core/mri/image.hpp"

namespace recon {

/// Writes magnitudes as one multi-frame DICOM file (Enhanced MR Image Storage): a frame a slice, 16 bits with one scale
/// for all, each with its place in the patient (DICOM PS3.3, C.7.6.16). Nothing is said of the patient. The same image
/// gives the same bytes: identifiers follow from its contents, and those of the study and the frame of reference from
/// `Image::study`.
/// @throws InputError if the image is larger than DICOM can count, or the file cannot be written
void write_dicom(const Image& image, const std::string& path);

}  // namespace recon
