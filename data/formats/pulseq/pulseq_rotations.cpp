#include "data/formats/pulseq/pulseq_rotations.hpp"

#include <cmath>
#include <optional>

#include "data/formats/pulseq/pulseq_sections.hpp"

namespace recon {
namespace {

PulseqRotation rotation_of(const PulseqSections& sections, const PulseqLine& line) {
    const double w = sections.number(line, 1), x = sections.number(line, 2), y = sections.number(line, 3),
                 z = sections.number(line, 4);
    constexpr double rounding = 1e-3;
    if (std::abs(w * w + x * x + y * y + z * z - 1) > rounding) {
        sections.refuse(line, "a quaternion of length 1");
    }
    return {PerAxis<double>{1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)},
            PerAxis<double>{2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)},
            PerAxis<double>{2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)}};
}

/// One extension of a list; the list goes on with number `next`, which is 0 at its end.
struct Extension {
    const PulseqLine* line = nullptr;
    Index type = 0, id = 0, next = 0;
};

}  // namespace

std::map<Index, PulseqRotation> pulseq_rotations(const PulseqSections& sections) {
    std::map<Index, Extension> extensions;
    std::map<Index, PulseqRotation> of_id;
    std::optional<Index> rotation_type;
    bool in_lists = true, in_rotations = false;
    for (const PulseqLine& line : sections.of("EXTENSIONS")) {
        if (line.words[0] == "extension") {
            in_lists = false;
            in_rotations = line.words.size() > 1 && line.words[1] == "ROTATIONS";
            rotation_type = in_rotations ? sections.whole(line, 2) : rotation_type;
        } else if (in_lists) {
            extensions[sections.whole(line, 0)] = {&line, sections.whole(line, 1), sections.whole(line, 2),
                                                   sections.whole(line, 3)};
        } else if (in_rotations) {
            of_id[sections.whole(line, 0)] = rotation_of(sections, line);
        }
    }
    std::map<Index, PulseqRotation> of_list;
    for (const auto& [list, first] : extensions) {
        constexpr int most = 100;
        int length = 0;
        for (const Extension* extension = &first; extension != nullptr;) {
            if (++length > most) {
                sections.refuse(*first.line, "a list of at most 100 extensions");
            }
            if (extension->type == rotation_type) {
                const auto rotation = of_id.find(extension->id);
                if (rotation == of_id.end() || !of_list.emplace(list, rotation->second).second) {
                    sections.refuse(*extension->line, "one rotation a block, which is there");
                }
            }
            const auto next = extensions.find(extension->next);
            if (extension->next != 0 && next == extensions.end()) {
                sections.refuse(*extension->line, "an extension that is there to go on with, or 0");
            }
            extension = extension->next == 0 ? nullptr : &next->second;
        }
    }
    return of_list;
}

}  // namespace recon
