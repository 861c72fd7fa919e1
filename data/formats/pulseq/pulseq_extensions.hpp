#pragma once

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "data/formats/pulseq/pulseq_sections.hpp"

namespace recon {

/// What a block has besides gradients, pulse and readout: one of a list.
struct PulseqExtension {
    const PulseqLine* line;  ///< of the list, for messages
    Index type;
    Index id;  ///< among those of its type
};

/// The section EXTENSIONS: lists, which blocks name by number, and the lines of each type of extension.
class PulseqExtensions {
public:
    /// @param sections  outlive this. @throws InputError for lists that do not end
    explicit PulseqExtensions(const PulseqSections& sections);

    const std::map<Index, std::vector<PulseqExtension>>& lists() const { return lists_; }
    /// The number of a type, such as "ROTATIONS"; none where the file has no such.
    std::optional<Index> type_of(const std::string& name) const;
    /// What follows "extension NAME"; none where the file has no such.
    std::vector<const PulseqLine*> lines_of(const std::string& name) const;

private:
    struct Type {
        Index number;
        std::vector<const PulseqLine*> lines;
    };
    std::map<Index, std::vector<PulseqExtension>> lists_;
    std::map<std::string, Type> types_;
};

}  // namespace recon
