#pragma once

#include <cstdlib>
#include <filesystem>

#include "tests/support/paths.hpp"

namespace recon {

/// Folder of real scans and published results, which do not come with the source: the environment variable
/// RECON_SHARED_DATA, or ../shared/data beside the source tree. It may not exist.
inline std::filesystem::path shared_data_folder() {
    const char* variable = std::getenv("RECON_SHARED_DATA");
    return variable ? std::filesystem::path(variable) : std::filesystem::path(test::source_folder()) / "../shared/data";
}

}  // namespace recon
