#pragma once

#include <string>

namespace recon {

/// $XDG_CACHE_HOME/recon/q, else ~/.cache/recon/q; empty where neither variable is set. (XDG Base Directory
/// Specification)
std::string default_cache_folder();

}  // namespace recon
