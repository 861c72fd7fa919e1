#include "app/cli/shell/guide.hpp"

#include <filesystem>

namespace recon {

std::string guide() {
    std::error_code failed;
    const std::filesystem::path program = std::filesystem::read_symlink("/proc/self/exe", failed);
    for (const char* docs : {"../share/doc/recon", "../docs"}) {
        const std::filesystem::path page = program.parent_path() / docs / "user-guide.md";
        if (!failed && std::filesystem::exists(page, failed)) {
            return page.lexically_normal().string();
        }
        failed.clear();
    }
    return "recon manual man | man -l -";
}

}  // namespace recon
