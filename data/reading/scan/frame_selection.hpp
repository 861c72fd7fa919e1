#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/mri/scan.hpp"

namespace recon {

/// Which frames to read: for each part of the label that is named, the values wanted.
///
/// Text: `contrast=0,slice=2-4`, parts contrast, repetition, set, slice, phase; a part named twice takes either value.
class FrameSelection {
public:
    FrameSelection() = default;  ///< everything
    /// @throws UsageError that shows how it is written
    explicit FrameSelection(const std::string& text);

    bool selects(const FrameLabel& label) const;
    const std::string& text() const { return text_; }

    /// The indices of the labels wanted. @throws InputError listing what there is if none is
    std::vector<std::size_t> pick(const std::vector<FrameLabel>& labels, const std::string& path) const;

private:
    struct Range {
        Index first;
        Index last;
    };
    std::string text_;
    std::map<std::string, std::vector<Range>> wanted_;
};

}  // namespace recon
