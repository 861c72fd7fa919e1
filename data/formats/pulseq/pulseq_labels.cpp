#include "data/formats/pulseq/pulseq_labels.hpp"

#include <algorithm>
#include <optional>

namespace recon {
namespace {

/// By their numbers.
std::map<Index, PulseqLabelChange> changes_of(const PulseqSections& sections, const PulseqExtensions& extensions,
                                              bool is_increment) {
    std::map<Index, PulseqLabelChange> changes;
    for (const PulseqLine* line : extensions.lines_of(is_increment ? "LABELINC" : "LABELSET")) {
        if (line->words.size() != 3) {
            sections.refuse(*line, "a number, a value and a label");
        }
        changes[sections.whole(*line, 0)] = {line->words[2], sections.whole(*line, 1), is_increment};
    }
    return changes;
}

}  // namespace

std::map<Index, std::vector<PulseqLabelChange>> pulseq_labels(const PulseqSections& sections,
                                                              const PulseqExtensions& extensions) {
    std::map<Index, std::vector<PulseqLabelChange>> of_list;
    for (const bool is_increment : {false, true}) {
        const std::optional<Index> type = extensions.type_of(is_increment ? "LABELINC" : "LABELSET");
        const std::map<Index, PulseqLabelChange> changes = changes_of(sections, extensions, is_increment);
        for (const auto& [number, list] : extensions.lists()) {
            for (const PulseqExtension& extension : list) {
                if (extension.type != type) {
                    continue;
                }
                const auto change = changes.find(extension.id);
                if (change == changes.end()) {
                    sections.refuse(*extension.line, "a change of a label that is there");
                }
                of_list[number].push_back(change->second);
            }
        }
    }
    return of_list;
}

void PulseqLabelState::change(const std::vector<PulseqLabelChange>& changes) {
    for (const PulseqLabelChange& change : changes) {
        Index& value = values_[change.label];
        value = change.value + (change.is_increment ? value : 0);
    }
}

Index PulseqLabelState::of(const std::string& label) const {
    const auto found = values_.find(label);
    return found == values_.end() ? 0 : found->second;
}

FrameLabel PulseqLabelState::frame() const {
    return {.contrast = of("ECO"), .repetition = of("REP"), .set = of("SET"), .slice = of("SLC"), .phase = of("PHS")};
}

}  // namespace recon
