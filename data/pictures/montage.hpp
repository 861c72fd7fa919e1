#pragma once

#include <optional>
#include <span>
#include <string>

#include "core/mri/image.hpp"
#include "data/pictures/png_writer.hpp"

namespace recon {

/// What happens to a panel's magnitudes before they are shown on the grey scale of a reference.
enum class PanelScale {
    fitted,   ///< multiplied by one real number, the least-squares fit to the reference's magnitudes
    as_it_is  ///< nothing
};

/// One image of a side-by-side picture.
struct MontagePanel {
    std::string label;  ///< written above in capitals; may be empty
    const Image* image;
    PanelScale scale = PanelScale::fitted;
};

/// Magnitudes of an image as one picture: x to the right, y downwards from the top, slices in reading order.
///
/// A single slice is enlarged by an integer factor to at least 384 pixels; a volume becomes three planes through the
/// middle of its signal, and below them a near-square grid of at most 25 slices, evenly spread over those that hold
/// signal; a series shows a row of slices, the same ones, for each of up to five frames, else one slice each of at most
/// 25 frames. Each says above where it lies: "z 12/48", "frame 2, z 12/48". White is `display_maximum` of all frames of
/// one contrast. Voxels keep their proportions, rounded to whole pixels.
/// @throws ShapeError if the voxels do not match the frames
Picture montage(const Image& image);

/// Several images of equal size side by side, each as above with at most 9 slices, all showing the same ones.
/// @param reference  the panel whose grey scale all others use; none: each panel has its own. @throws ShapeError if the
/// panels differ in size or there are none
Picture montage(std::span<const MontagePanel> panels, std::optional<Index> reference);

}  // namespace recon
