#include "data/files/atomic_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <atomic>
#include <cerrno>
#include <cstring>
#include <filesystem>

#include "core/base/error.hpp"

namespace recon {
namespace fs = std::filesystem;
namespace {

/// Where a write to `path` ends up: behind symbolic links, also those whose target does not exist yet.
fs::path follow_links(fs::path path) {
    std::error_code ignored;
    constexpr int longest_chain = 40;  // as Linux
    for (int links = 0; links < longest_chain && fs::is_symlink(path, ignored); ++links) {
        const fs::path target = fs::read_symlink(path, ignored);
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path;
}

}  // namespace

AtomicOutput::AtomicOutput(const std::string& path) : path_(path) {
    if (path.empty()) {
        throw InputError("the name of an output file is empty");
    }
    const fs::path target = follow_links(path);
    target_path_ = target.string();
    std::error_code ignored;
    if (fs::is_directory(target, ignored) || !target.has_filename()) {
        throw InputError(fmt::format("{}: is a folder; give the name of a file to write", path));
    }
    if (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored)) {
        temporary_path_ = target_path_;
        return;
    }
    const fs::path folder = target.has_parent_path() ? target.parent_path() : fs::path(".");
    if (!fs::is_directory(folder, ignored)) {
        throw InputError(fmt::format("{}: the folder {} does not exist; create it first", path, folder.string()));
    }

    static std::atomic<int> counter{0};
    for (int attempt = 0; attempt < 100; ++attempt) {
        temporary_path_ = fmt::format("{}.partial-{}-{}", target_path_, ::getpid(), counter++);
        const int descriptor = ::open(temporary_path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            ::close(descriptor);
            pending_ = true;
            return;
        }
        if (errno != EEXIST) {
            break;
        }
    }
    throw InputError(fmt::format("{}: cannot write in folder {}: {}", path, folder.string(), std::strerror(errno)));
}

AtomicOutput::~AtomicOutput() {
    if (pending_) {
        ::unlink(temporary_path_.c_str());
    }
}

void AtomicOutput::commit() {
    if (!pending_) {
        return;
    }
    if (std::rename(temporary_path_.c_str(), target_path_.c_str()) != 0) {
        throw InputError(
            fmt::format("{}: cannot rename the finished file {}: {}", path_, temporary_path_, std::strerror(errno)));
    }
    pending_ = false;
}

}  // namespace recon
