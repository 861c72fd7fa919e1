#include "data/reading/unreadable_file.hpp"

#include <fmt/format.h>

#include <filesystem>

namespace recon {
namespace fs = std::filesystem;

InputError unreadable_file(const std::string& path, const std::string& is_not, const std::string& expected) {
    std::error_code ignored;
    if (fs::is_regular_file(path, ignored) && fs::file_size(path, ignored) == 0) {
        return InputError(fmt::format("{}: is empty (0 bytes); was it written to its end?", path));
    }
    const std::string ending = fs::path(path).extension().string();
    if (ending == ".cfl" || ending == ".hdr") {  // BART's, which come in pairs
        const fs::path other = fs::path(path).replace_extension(ending == ".cfl" ? ".hdr" : ".cfl");
        if (!fs::exists(other, ignored)) {
            return InputError(fmt::format("{}: {} is missing; a BART file is both", path, other.string()));
        }
    }
    return InputError(fmt::format("{}: {}: expected {}", path, is_not, expected));
}

}  // namespace recon
