#pragma once

#include <cstdlib>
#include <filesystem>

namespace recon {

/// Folder of real scans and published results, which do not come with the source: the environment variable
/// RECON_SHARED_DATA, or ../shared/data beside the source tree. It may not exist.
inline std::filesystem::path shared_data_folder() {
    const char* variable = std::getenv("RECON_SHARED_DATA");
    return variable ? std::filesystem::path(variable) : std::filesystem::path(RECON_SOURCE_DIR) / "../shared/data";
}

}  // namespace recon
