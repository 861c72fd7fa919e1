#pragma once

#include <string>

namespace recon {

/// $XDG_CACHE_HOME/recon, else ~/.cache/recon; empty where neither variable is set. (XDG Base Directory Specification)
std::string user_cache_folder();

/// The folder for Q in there; empty likewise.
std::string default_cache_folder();

}  // namespace recon
