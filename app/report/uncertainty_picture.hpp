#pragma once

#include <span>

#include "core/base/named_array.hpp"
#include "core/mri/image.hpp"
#include "data/pictures/png_writer.hpp"

namespace recon {

/// The first frame's image, and what maps of its uncertainty there are, side by side, each on its own grey scale: the
/// standard deviation of its error and the g-factor of its coils.
/// @param extras  of the first frame; those named "uncertainty/..." are shown
Picture uncertainty_picture(const Image& image, std::span<const NamedArray> extras);

}  // namespace recon
