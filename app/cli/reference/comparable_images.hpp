#pragma once

#include <string>

#include "core/mri/scan.hpp"
#include "data/reading/stored/stored_image.hpp"

namespace recon {

/// Where one has slices as frames and the other as a volume: the frames' stack (core/mri/slice_stack.hpp), if they form
/// one.
/// @return a line for people that says so; empty if there was nothing to do, or nothing that can be done
std::string stack_alike(Image& image, Image& reference);

/// A volume as the slices of a scan, a frame each, where the scan's slices form a stack of that matrix: the volume is
/// put on their voxels first, as by align_reference. Slices as the volume of a scan, where that has one.
/// @return a line for people that says so; empty if there was nothing to do, or nothing that can be done
std::string arrange_as(const Scan& scan, Image& reference, const std::string& path);

/// Puts the reference on the image's voxels, by position, where both say where they lie and the axes of one are those
/// of the other turned, mirrored or moved, as other programs write them.
/// @return a line for people that says so; empty if there was nothing to do, or nothing that can be done
std::string align_reference(Image& reference, const Geometry& image, const std::string& path);

/// Where one file holds magnitudes, which are real and not negative, and the other complex numbers: magnitudes of both.
/// @return a line for people that says so; empty if there was nothing to do
std::string share_magnitudes(StoredImage& image, StoredImage& reference);

}  // namespace recon
