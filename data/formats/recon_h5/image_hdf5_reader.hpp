#pragma once

#include <string>
#include <vector>

#include "core/mri/image.hpp"
#include "data/files/hdf5_file.hpp"

namespace recon {

/// Whether a file is an image file as the project writes it (image_hdf5_writer.hpp).
bool is_image_hdf5(const H5File& file);

/// The image of such a file, with the labels and places of its frames.
/// @param group  empty for the image itself, or "/baseline"
/// @throws InputError if the file contradicts itself
Image read_image_hdf5(const H5File& file, const std::string& group = "");

/// What else such a file holds of a frame: datasets and groups.
struct FrameExtras {
    std::string group;  ///< where they lie, up to the name: "/", "/frame_2/"
    std::vector<std::string> names;
};
FrameExtras extras_of_frame(const H5File& file, Index frame, Index frame_count);

}  // namespace recon
