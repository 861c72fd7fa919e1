#pragma once

#include <string>

namespace recon {

/// What a file is that holds no scan which can be read, and what makes one of it: "Siemens raw data; ..."; empty if it
/// is not known. By content, as formats are recognised.
std::string advice_on_foreign_scan(const std::string& path);

}  // namespace recon
