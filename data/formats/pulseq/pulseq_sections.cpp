#include "data/formats/pulseq/pulseq_sections.hpp"

#include <fmt/format.h>
#include <algorithm>

#include <fstream>
#include <sstream>

#include "core/base/error.hpp"
#include "core/base/parse_number.hpp"

namespace recon {
namespace {

constexpr Index most_of_a_shape = 10'000'000;

}  // namespace

PulseqSections::PulseqSections(const std::string& path) : path_(path) {
    std::ifstream file(path);
    if (!file) {
        throw InputError(fmt::format("{}: cannot be opened", path));
    }
    std::string section;
    Index number = 0;
    for (std::string text; std::getline(file, text);) {
        ++number;
        std::istringstream stream(text.substr(0, text.find('#')));
        PulseqLine line{number, {}};
        for (std::string word; stream >> word;) {
            line.words.push_back(word);
        }
        if (line.words.empty()) {
            continue;
        }
        if (line.words[0].starts_with('[') && line.words[0].ends_with(']')) {
            section = line.words[0].substr(1, line.words[0].size() - 2);
        } else {
            sections_[section].push_back(line);
        }
    }
}

const std::vector<PulseqLine>& PulseqSections::of(const std::string& name) const {
    static const std::vector<PulseqLine> none;
    const auto found = sections_.find(name);
    return found == sections_.end() ? none : found->second;
}

void PulseqSections::refuse(const PulseqLine& line, const std::string& expected) const {
    std::string text;
    for (const std::string& word : line.words) {
        text += (text.empty() ? "" : " ") + word;
    }
    throw InputError(
        fmt::format("{}: line {} is \"{}\", expected {}", path_, line.number, text.substr(0, 60), expected));
}

double PulseqSections::number(const PulseqLine& line, std::size_t word) const {
    const auto value = word < line.words.size() ? parse_number<double>(line.words[word]) : std::nullopt;
    if (!value || !(*value > -1e30 && *value < 1e30)) {
        refuse(line, fmt::format("a number as word {}", word + 1));
    }
    return *value;
}

Index PulseqSections::whole(const PulseqLine& line, std::size_t word) const {
    const auto value = word < line.words.size() ? parse_number<Index>(line.words[word]) : std::nullopt;
    if (!value) {
        refuse(line, fmt::format("a whole number as word {}", word + 1));
    }
    return *value;
}

Index PulseqSections::version() const {
    Index major = 0, minor = 0;
    for (const PulseqLine& line : of("VERSION")) {
        if (line.words[0] == "major") {
            major = whole(line, 1);
        } else if (line.words[0] == "minor") {
            minor = whole(line, 1);
        }
    }
    if (major != 1 || minor < 4 || minor > 5) {
        throw InputError(fmt::format("{}: is version {}.{} of Pulseq, expected 1.4 or 1.5", path_, major, minor));
    }
    return 100 * major + minor;
}

double PulseqSections::definition_s(const std::string& name) const {
    for (const PulseqLine& line : of("DEFINITIONS")) {
        if (line.words[0] == name) {
            const double value = number(line, 1);
            if (!(value > 0)) {
                refuse(line, "a time above 0");
            }
            return value;
        }
    }
    throw InputError(fmt::format("{}: the definition of {} is missing", path_, name));
}

PerAxis<double> PulseqSections::field_of_view_mm() const {
    PerAxis<double> result{};
    for (const PulseqLine& line : of("DEFINITIONS")) {
        for (std::size_t axis = 0; line.words[0] == "FOV" && axis + 1 < line.words.size() && axis < 3; ++axis) {
            const auto metres = parse_number<double>(line.words[axis + 1]);
            constexpr double longest = 1;  // beyond, files of old programs mean mm
            if (!metres || !(*metres > 0 && *metres <= longest)) {
                return {};
            }
            result[axis] = 1000 * *metres;
        }
    }
    return result;
}

/// Differences, where two equal ones in a row are followed by how many more there are; or values as they are.
std::map<Index, std::vector<double>> PulseqSections::shapes() const {
    std::map<Index, std::vector<double>> shapes;
    Index id = 0, count = 0;
    std::vector<double> stored;
    const std::vector<PulseqLine>& lines = of("SHAPES");
    const auto finish = [&](const PulseqLine& line) {
        if (count == 0) {
            return;
        }
        std::vector<double>& values = shapes[id];
        if (static_cast<Index>(stored.size()) == count) {
            values = stored;
            return;
        }
        double sum = 0;
        for (std::size_t i = 0; i < stored.size(); ++i) {
            Index times = 1;
            if (i + 2 < stored.size() && stored[i] == stored[i + 1]) {
                times = 2 + static_cast<Index>(std::clamp(stored[i + 2], 0.0, static_cast<double>(count)));
            }
            for (Index n = 0; n < times && static_cast<Index>(values.size()) < count; ++n) {
                values.push_back(sum += stored[i]);
            }
            i += times > 1 || (i + 2 < stored.size() && stored[i] == stored[i + 1]) ? 2 : 0;
        }
        if (static_cast<Index>(values.size()) != count) {
            refuse(line, fmt::format("shape {} to have {} values; it has {}", id, count, values.size()));
        }
    };
    for (const PulseqLine& line : lines) {
        if (line.words[0] == "shape_id") {
            finish(line);
            id = whole(line, 1);
            count = 0;
            stored.clear();
        } else if (line.words[0] == "num_samples") {
            count = whole(line, 1);
            if (count < 1 || count > most_of_a_shape) {
                refuse(line, fmt::format("1 to {} samples", most_of_a_shape));
            }
        } else {
            stored.push_back(number(line, 0));
        }
    }
    if (!lines.empty()) {
        finish(lines.back());
    }
    return shapes;
}

}  // namespace recon
