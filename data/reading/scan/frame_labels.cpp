#include "data/reading/scan/frame_labels.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <set>

namespace recon {

std::vector<FrameLabel> counted_labels(Index frame_count) {
    std::vector<FrameLabel> labels(static_cast<std::size_t>(frame_count));
    for (std::size_t i = 0; i < labels.size(); ++i) {
        labels[i].repetition = static_cast<Index>(i);
    }
    return labels;
}

std::vector<FrameLabel> labels_of_rows(std::span<const Index> rows) {
    std::vector<FrameLabel> labels(rows.size() / label_parts.size());
    for (std::size_t i = 0; i < labels.size(); ++i) {
        for (std::size_t part = 0; part < label_parts.size(); ++part) {
            labels[i].*label_parts[part].value = rows[i * label_parts.size() + part];
        }
    }
    return labels;
}

std::vector<Index> rows_of_labels(const std::vector<Frame>& frames) {
    if (frames.size() == 1 && frames.front().label == FrameLabel()) {
        return {};
    }
    std::vector<Index> rows;
    for (const Frame& frame : frames) {
        for (const LabelPart& part : label_parts) {
            rows.push_back(frame.label.*part.value);
        }
    }
    return rows;
}

bool have_slices(const std::vector<FrameLabel>& labels) {
    return std::ranges::any_of(labels, [](const FrameLabel& label) { return label.slice != 0; });
}

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
