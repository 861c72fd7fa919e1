#pragma once

#include <array>
#include <span>
#include <string>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// A part of a frame's label under its name, in options and files.
struct LabelPart {
    const char* name;
    Index FrameLabel::*value;
};

/// The last one varies fastest, as in the order of labels.
inline constexpr std::array<LabelPart, 5> label_parts{{{"contrast", &FrameLabel::contrast},
                                                       {"repetition", &FrameLabel::repetition},
                                                       {"set", &FrameLabel::set},
                                                       {"slice", &FrameLabel::slice},
                                                       {"phase", &FrameLabel::phase}}};

/// Of frames that have none: counted as repetitions.
std::vector<FrameLabel> counted_labels(Index frame_count);
/// @param rows  [frame part], the parts as above
std::vector<FrameLabel> labels_of_rows(std::span<const Index> rows);
/// The same rows of frames for a file; none for a frame with nothing but 0.
std::vector<Index> rows_of_labels(const std::vector<Frame>& frames);
/// Whether some are of another slice than 0.
bool have_slices(const std::vector<FrameLabel>& labels);

/// "contrast 0 to 2, slice 0 to 5": the parts that are not 0 throughout; "all labels 0" if there are none.
std::string summary_of(const std::vector<FrameLabel>& labels);
/// "contrast 1, slice 2": the parts that are not 0; "frame 0" if all are.
std::string text_of(const FrameLabel& label);

}  // namespace recon
