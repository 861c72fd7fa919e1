#include "app/cli/shell/cache_folder.hpp"

#include <cstdlib>
#include <filesystem>

namespace recon {

std::string user_cache_folder() {
    const auto variable = [](const char* name) {
        const char* value = std::getenv(name);
        return std::string(value != nullptr ? value : "");
    };
    const std::string cache = variable("XDG_CACHE_HOME");
    if (std::filesystem::path(cache).is_absolute()) {  // the specification: a relative path is to be ignored
        return cache + "/recon";
    }
    const std::string home = variable("HOME");
    return home.empty() ? "" : home + "/.cache/recon";
}

std::string default_cache_folder() {
    const std::string folder = user_cache_folder();
    return folder.empty() ? "" : folder + "/q";
}

}  // namespace recon
