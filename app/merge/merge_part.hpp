#pragma once

#include <optional>
#include <string>

#include "core/mri/image.hpp"
#include "data/files/run_record.hpp"

namespace recon {

/// What is merged of the file of one run. The file is open no longer than it takes to read this: there may be more of
/// them than a process may have open.
struct MergePart {
    /// @throws InputError if it is no image file of this project
    explicit MergePart(std::string file);

    std::string path;
    Image image;
    std::optional<Image> baseline;
    RunRecord run = RunRecord::object();
};

/// Frame `index` of a part.
struct MergeFrame {
    const MergePart* part = nullptr;
    Index index = 0;

    const FrameLabel& label() const { return part->image.frames[static_cast<std::size_t>(index)].label; }
};

/// @throws InputError if their images differ in size or place, or one alone has a baseline
void require_alike(const MergePart& part, const MergePart& first);

}  // namespace recon
