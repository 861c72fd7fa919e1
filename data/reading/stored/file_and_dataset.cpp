#include "data/reading/stored/file_and_dataset.hpp"

#include <filesystem>

namespace recon {

FileAndDataset parse_file_and_dataset(const std::string& name) {
    std::error_code ignored;
    const std::size_t colon = name.rfind(":/");
    if (colon == std::string::npos || colon == 0 || std::filesystem::exists(name, ignored)) {
        return {name, ""};
    }
    return {name.substr(0, colon), name.substr(colon + 1)};
}

}  // namespace recon
