#pragma once

#include <map>
#include <string>
#include <vector>

#include "core/base/types.hpp"

namespace recon {

/// A line of a section, as words.
struct PulseqLine {
    Index number = 0;  ///< in the file, for messages
    std::vector<std::string> words;
};

/// A Pulseq file by its sections, without comments and blank lines.
class PulseqSections {
public:
    explicit PulseqSections(const std::string& path);

    /// Empty where the file has no such section.
    const std::vector<PulseqLine>& of(const std::string& name) const;
    /// The number that a word is. @throws InputError that names the line
    double number(const PulseqLine& line, std::size_t word) const;
    Index whole(const PulseqLine& line, std::size_t word) const;
    [[noreturn]] void refuse(const PulseqLine& line, const std::string& expected) const;

    /// Of the sections VERSION and DEFINITIONS: major times 100 and minor, and lengths in s.
    Index version() const;
    double definition_s(const std::string& name) const;
    /// The definition FOV, which is in m; 0 without one, or where a number cannot be that.
    PerAxis<double> field_of_view_mm() const;

    /// Values by the number of their shape, uncompressed.
    std::map<Index, std::vector<double>> shapes() const;

private:
    std::string path_;
    std::map<std::string, std::vector<PulseqLine>> sections_;
};

}  // namespace recon
