#pragma once

#include <string>

#include "data/reading/stored/stored_image.hpp"

namespace recon {

/// Where one has slices as frames and the other as a volume: the frames' stack (core/mri/slice_stack.hpp), if they form
/// one.
/// @return a line for people that says so; empty if there was nothing to do, or nothing that can be done
std::string stack_alike(Image& image, Image& reference);

/// Puts the reference on the image's voxels, by position, where both say where they lie and the axes of one are those
/// of the other turned, mirrored or moved, as other programs write them.
/// @return a line for people that says so; empty if there was nothing to do, or nothing that can be done
std::string align_reference(Image& reference, const Geometry& image, const std::string& path);

/// Where one file holds magnitudes, which are real and not negative, and the other complex numbers: magnitudes of both.
/// @return a line for people that says so; empty if there was nothing to do
std::string share_magnitudes(StoredImage& image, StoredImage& reference);

}  // namespace recon
