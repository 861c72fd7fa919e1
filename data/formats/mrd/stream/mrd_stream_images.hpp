#pragma once

#include <string>

#include "core/mri/image.hpp"
#include "data/reading/stored/stored_image.hpp"

namespace recon {

/// The images of a stream, a frame each (and one for each channel), with counters and places.
/// @throws InputError if there are none, or they differ in size
StoredImage read_mrd_stream_images(const std::string& path, const std::string& dataset);

/// A message for each frame, complex floats; then the close of the stream.
/// @throws InputError if the image does not fit MRD's 16-bit counts, or the file cannot be written
void write_mrd_stream_images(const Image& image, const std::string& path);

}  // namespace recon
