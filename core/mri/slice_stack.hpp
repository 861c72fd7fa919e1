#pragma once

#include <optional>

#include "core/mri/image.hpp"

namespace recon {

/// The image with parallel, evenly spaced single slices stacked along z, one volume for each combination of
/// contrast, repetition, set and phase; slices come in the order of their position along z.
///
/// The distance of neighbours becomes the voxel size along z, so that gaps between slices are kept. None for anything
/// else: volumes, slices of unknown, uneven or turned position, series with missing slices.
/// @throws ShapeError if the voxels do not match the frames
std::optional<Image> stack_slices(const Image& image);

}  // namespace recon
