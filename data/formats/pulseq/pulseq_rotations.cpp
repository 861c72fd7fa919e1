#include "data/formats/pulseq/pulseq_rotations.hpp"

#include <cmath>
#include <optional>

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

}  // namespace

std::map<Index, PulseqRotation> pulseq_rotations(const PulseqSections& sections, const PulseqExtensions& extensions) {
    std::map<Index, PulseqRotation> of_id, of_list;
    for (const PulseqLine* line : extensions.lines_of("ROTATIONS")) {
        of_id[sections.whole(*line, 0)] = rotation_of(sections, *line);
    }
    const std::optional<Index> type = extensions.type_of("ROTATIONS");
    for (const auto& [number, list] : extensions.lists()) {
        for (const PulseqExtension& extension : list) {
            if (extension.type != type) {
                continue;
            }
            const auto rotation = of_id.find(extension.id);
            if (rotation == of_id.end() || !of_list.emplace(number, rotation->second).second) {
                sections.refuse(*extension.line, "one rotation a block, which is there");
            }
        }
    }
    return of_list;
}

}  // namespace recon
