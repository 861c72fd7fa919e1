#pragma once

#include <string>

#include "core/base/error.hpp"

namespace recon {

/// Of a file that no format recognises: "scan.cfl: is no scan that can be read: ...", with what is the matter with it
/// where that can be seen.
/// @param is_not  "is no scan that can be read"  @param expected  the formats that it could have
InputError unreadable_file(const std::string& path, const std::string& is_not, const std::string& expected);

}  // namespace recon
