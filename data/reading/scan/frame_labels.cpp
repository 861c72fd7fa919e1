#include "data/reading/scan/frame_labels.hpp"

#include <fmt/format.h>

#include <set>

namespace recon {

std::string summary_of(const std::vector<FrameLabel>& labels) {
    std::string text;
    for (const LabelPart& part : label_parts) {
        std::set<Index> values;
        for (const FrameLabel& label : labels) {
            values.insert(label.*part.value);
        }
        if (values.size() > 1 || (values.size() == 1 && *values.begin() != 0)) {
            const std::string separator = text.empty() ? "" : ", ";
            text += values.size() == 1
                        ? fmt::format("{}{} {}", separator, part.name, *values.begin())
                        : fmt::format("{}{} {} to {}", separator, part.name, *values.begin(), *values.rbegin());
        }
    }
    return text.empty() ? "all labels 0" : text;
}

std::string text_of(const FrameLabel& label) {
    std::string text;
    for (const LabelPart& part : label_parts) {
        if (label.*part.value != 0) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", part.name, label.*part.value);
        }
    }
    return text.empty() ? "frame 0" : text;
}

}  // namespace recon
