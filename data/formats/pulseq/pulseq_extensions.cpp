#include "data/formats/pulseq/pulseq_extensions.hpp"

#include <utility>

namespace recon {

PulseqExtensions::PulseqExtensions(const PulseqSections& sections) {
    std::map<Index, std::pair<PulseqExtension, Index>> entries;  // with the number of the next one, 0 at the end
    Type* type = nullptr;
    for (const PulseqLine& line : sections.of("EXTENSIONS")) {
        if (line.words[0] == "extension") {
            const std::string name = line.words.size() > 1 ? line.words[1] : "";
            type = &types_.insert_or_assign(name, Type{sections.whole(line, 2), {}}).first->second;
        } else if (type == nullptr) {
            entries[sections.whole(line, 0)] = {{&line, sections.whole(line, 1), sections.whole(line, 2)},
                                                sections.whole(line, 3)};
        } else {
            type->lines.push_back(&line);
        }
    }
    for (const auto& [number, first] : entries) {
        constexpr std::size_t most = 100;
        std::vector<PulseqExtension>& list = lists_[number];
        for (const auto* entry = &first; entry != nullptr;) {
            list.push_back(entry->first);
            if (list.size() > most) {
                sections.refuse(*first.first.line, "a list of at most 100 extensions");
            }
            const auto next = entries.find(entry->second);
            if (entry->second != 0 && next == entries.end()) {
                sections.refuse(*entry->first.line, "an extension that is there to go on with, or 0");
            }
            entry = entry->second == 0 ? nullptr : &next->second;
        }
    }
}

std::optional<Index> PulseqExtensions::type_of(const std::string& name) const {
    const auto found = types_.find(name);
    return found == types_.end() ? std::nullopt : std::optional(found->second.number);
}

std::vector<const PulseqLine*> PulseqExtensions::lines_of(const std::string& name) const {
    const auto found = types_.find(name);
    return found == types_.end() ? std::vector<const PulseqLine*>{} : found->second.lines;
}

}  // namespace recon
