#include "data/reading/scan/frame_selection.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <sstream>

#include "core/base/error.hpp"
#include "core/base/parse_number.hpp"
#include "data/reading/scan/frame_labels.hpp"

namespace recon {

FrameSelection::FrameSelection(const std::string& text) : text_(text) {
    const auto fail = [&](const std::string& reason) {
        throw UsageError(
            fmt::format("`select` {}: {}; write it like contrast=0,slice=2-4 with the parts contrast, "
                        "repetition, set, slice, phase",
                        text, reason));
    };
    std::string name;  // of the part that values without a name go on with: slice=0-2,4
    std::istringstream items(text);
    for (std::string item; std::getline(items, item, ',');) {
        const std::size_t equals = item.find('=');
        if (equals != std::string::npos) {
            name = item.substr(0, equals);
        } else if (name.empty()) {
            fail(fmt::format("\"{}\" has no '='", item));
        }
        if (std::none_of(label_parts.begin(), label_parts.end(),
                         [&](const LabelPart& part) { return name == part.name; })) {
            fail(fmt::format("\"{}\" is no part of a frame's label", name));
        }
        const std::string values = equals == std::string::npos ? item : item.substr(equals + 1);
        const auto range = parse_index_range(values);
        if (!range) {
            fail(fmt::format("\"{}\" is neither a number from 0 nor a range of them", values));
        }
        wanted_[name].push_back({range->first, range->second});
    }
    if (wanted_.empty() || text.back() == ',') {
        fail("something is missing");
    }
}

bool FrameSelection::selects(const FrameLabel& label) const {
    return std::all_of(label_parts.begin(), label_parts.end(), [&](const LabelPart& part) {
        const auto wanted = wanted_.find(part.name);
        return wanted == wanted_.end() ||
               std::any_of(wanted->second.begin(), wanted->second.end(), [&](const Range& range) {
                   return label.*part.value >= range.first && label.*part.value <= range.last;
               });
    });
}

std::vector<std::size_t> FrameSelection::pick(const std::vector<FrameLabel>& labels, const std::string& path) const {
    std::vector<std::size_t> picked;
    for (std::size_t i = 0; i < labels.size(); ++i) {
        if (selects(labels[i])) {
            picked.push_back(i);
        }
    }
    if (picked.empty()) {
        throw InputError(
            fmt::format("{}: `select` {} matches no frame; the file has {}", path, text_, summary_of(labels)));
    }
    return picked;
}

}  // namespace recon
