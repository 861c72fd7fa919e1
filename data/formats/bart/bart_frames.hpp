#pragma once

#include <vector>

#include "core/mri/scan.hpp"
#include "data/formats/bart/bart_file.hpp"

namespace recon {

/// Whether frames lie along this dimension: TE (contrast), TIME (repetition), BATCH (set), SLICE and TIME2 (phase).
bool tells_frames(std::size_t dimension);

/// A frame of a file: its label, and where it lies beyond the dimension MAPS.
struct BartFramePlace {
    FrameLabel label;
    BartExtents index{};

    /// How many frames lie before it in a file, which may have one for all of a dimension.
    Index block(const BartExtents& extents) const;
};

/// The frames of a file of these extents, sorted by label.
std::vector<BartFramePlace> bart_frame_places(const BartExtents& extents);

/// How frames are written.
struct BartFrameOrder {
    BartExtents extents{};           ///< of the frames' dimensions; 1 of the others
    std::vector<std::size_t> order;  ///< the frame that comes first in the file, that which follows, ...
};

/// Each part of the labels along the dimension that it is read from; all along TIME, with a line in the log, where
/// labels are missing of what would fill these dimensions, or are there twice.
BartFrameOrder bart_frame_order(const std::vector<FrameLabel>& labels);

}  // namespace recon
