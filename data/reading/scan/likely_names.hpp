#pragma once

#include <string>
#include <vector>

namespace recon {

/// A name in a scan's file that its layout does not know.
struct UnreadName {
    const char* kind;  ///< for people: "dataset"
    std::string name;
};

/// Names what is not read: a warning where a name that is missing was likely meant ("coilmaps"), else a line of the
/// log.
/// @param missing  what the layout knows, and the file does not have
void log_unread_names(const std::string& path, const std::vector<UnreadName>& unknown,
                      const std::vector<std::string>& missing);

/// Those of `names` that are not among `others`.
std::vector<std::string> names_without(const std::vector<std::string>& names, const std::vector<std::string>& others);

}  // namespace recon
