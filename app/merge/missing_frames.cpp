#include "app/merge/missing_frames.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "core/base/error.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {
namespace {

/// The label after this one in the box from `least` to `greatest`. @return whether there is one
bool advance(FrameLabel& label, const FrameLabel& least, const FrameLabel& greatest) {
    for (auto part = label_parts.rbegin(); part != label_parts.rend(); ++part) {
        if (label.*part->value < greatest.*part->value) {
            ++(label.*part->value);
            return true;
        }
        label.*part->value = least.*part->value;
    }
    return false;
}

}  // namespace

void require_no_gaps(const std::vector<FrameLabel>& labels) {
    FrameLabel least = labels.front(), greatest = labels.front();
    for (const FrameLabel& label : labels) {
        for (const LabelPart& part : label_parts) {
            least.*part.value = std::min(least.*part.value, label.*part.value);
            greatest.*part.value = std::max(greatest.*part.value, label.*part.value);
        }
    }
    constexpr std::size_t most_named = 5;
    std::vector<std::string> missing;
    FrameLabel label = least;
    do {
        if (!std::ranges::binary_search(labels, label)) {
            missing.push_back(text_of(label));
        }
    } while (missing.size() <= most_named && advance(label, least, greatest));
    if (missing.empty()) {
        return;
    }
    const bool are_more = missing.size() > most_named;
    missing.resize(std::min(missing.size(), most_named));
    throw InputError(fmt::format("between the frames that are given are missing: {}{}; `gaps` joins what is there",
                                 fmt::join(missing, "; "), are_more ? "; and more" : ""));
}

}  // namespace recon
