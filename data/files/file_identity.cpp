#include "data/files/file_identity.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <optional>

#include "core/base/registry.hpp"
#include "data/files/atomic_output.hpp"

namespace recon {
namespace fs = std::filesystem;
namespace {

std::optional<struct stat> status_of(const std::string& path) {
    struct stat status {};
    return ::stat(path.c_str(), &status) == 0 ? std::optional(status) : std::nullopt;
}

/// FILE of FILE:/dataset, unless a file bears the whole name.
std::string without_dataset(const std::string& path) {
    const std::size_t colon = path.rfind(":/");
    return colon == std::string::npos || colon == 0 || status_of(path) ? path : path.substr(0, colon);
}

/// Where a write to a file that does not exist would make it.
fs::path resolved(const std::string& path) {
    std::error_code ignored;
    const fs::path target = fs::absolute(written_path(path), ignored);
    const fs::path folder = fs::weakly_canonical(target.parent_path(), ignored);
    return (folder.empty() ? target.parent_path() : folder) / target.filename();
}

bool is_same_file(const std::string& a, const std::string& b) {
    const auto of_a = status_of(a), of_b = status_of(b);
    if (of_a && of_b) {
        const bool plain = S_ISREG(of_a->st_mode) || S_ISDIR(of_a->st_mode);
        return plain && of_a->st_dev == of_b->st_dev && of_a->st_ino == of_b->st_ino;
    }
    return !of_a && !of_b && resolved(a) == resolved(b);
}

/// The files that a name stands for: BART's arrays are pairs, NAME.hdr and NAME.cfl, and go by NAME, too.
/// @param may_be_written  not only read: a pair that does not exist yet, then
std::vector<std::string> files_behind(const std::string& path, bool may_be_written) {
    const std::string ending = fs::path(path).extension().string();
    if (ending == ".cfl" || ending == ".hdr") {
        const std::string stem = fs::path(path).replace_extension().string();
        return {stem + ".cfl", stem + ".hdr"};
    }
    const auto status = status_of(path);
    const bool is_device = status && !S_ISREG(status->st_mode);
    const bool is_pair = ending.empty() && !is_device && (may_be_written || status_of(path + ".hdr"));
    return is_pair ? std::vector{path, path + ".cfl", path + ".hdr"} : std::vector{path};
}

bool would_overwrite(const std::string& output, const std::string& other, bool other_is_output) {
    for (const std::string& of_output : files_behind(output, true)) {
        for (const std::string& of_other : files_behind(other, other_is_output)) {
            if (is_same_file(of_output, of_other)) {
                return true;
            }
        }
    }
    return false;
}

/// A folder is read by way of its .dat files.
bool is_part_of(const std::string& output, const std::string& input) {
    const auto of_input = status_of(input);
    return of_input && S_ISDIR(of_input->st_mode) && status_of(output) && fs::path(output).extension() == ".dat" &&
           is_same_file(resolved(output).parent_path().string(), input);
}

FileStamp stamp_of(const struct stat& status) {
    return {static_cast<std::uint64_t>(status.st_dev), static_cast<std::uint64_t>(status.st_ino),
            static_cast<std::uint64_t>(status.st_size),
            static_cast<std::int64_t>(status.st_mtim.tv_sec) * 1'000'000'000 + status.st_mtim.tv_nsec};
}

}  // namespace

void require_outputs_apart(std::span<const NamedFile> inputs, std::span<const NamedFile> outputs) {
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const NamedFile& output = outputs[i];
        if (output.path.empty()) {
            continue;
        }
        for (const NamedFile& input : inputs) {
            const std::string path = without_dataset(input.path);
            if (!path.empty() && (would_overwrite(output.path, path, false) || is_part_of(output.path, path))) {
                throw UsageError(fmt::format("{} {} would overwrite the file that {} reads, {}; give another name",
                                             output.role, output.path, input.role, path));
            }
        }
        for (std::size_t j = 0; j < i; ++j) {
            if (!outputs[j].path.empty() && (would_overwrite(output.path, outputs[j].path, true) ||
                                             (goes_to_stdout(output.path) && goes_to_stdout(outputs[j].path)))) {
                throw UsageError(fmt::format("{} {} and {} {} are one file; give each a name of its own",
                                             outputs[j].role, outputs[j].path, output.role, output.path));
            }
        }
    }
}

void require_file_or_folder(const std::string& path) {
    const auto status = status_of(path);
    if (!status) {
        return;
    }
    if (S_ISREG(status->st_mode) || S_ISDIR(status->st_mode)) {
        if (::faccessat(AT_FDCWD, path.c_str(), R_OK, AT_EACCESS) != 0) {
            throw InputError(fmt::format("{}: cannot be read: {}", path, std::strerror(errno)));
        }
        return;
    }
    const char* what = S_ISFIFO(status->st_mode) ? "a named pipe" : S_ISSOCK(status->st_mode) ? "a socket" : "a device";
    throw InputError(fmt::format("{}: is {}, expected a file; write what comes from it to a file first", path, what));
}

std::vector<FileStamp> stamps_of(const std::string& path) {
    std::vector<FileStamp> stamps;
    const auto status = status_of(path);
    if (!status) {
        return stamps;
    }
    if (!S_ISDIR(status->st_mode)) {
        return {stamp_of(*status)};
    }
    std::error_code error;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(path, error), end; !error && entry != end; entry.increment(error)) {
        if (entry->path().extension() == ".dat") {
            names.push_back(entry->path().string());
        }
    }
    std::sort(names.begin(), names.end());
    for (const std::string& name : names) {
        if (const auto of_file = status_of(name)) {
            stamps.push_back(stamp_of(*of_file));
        }
    }
    return stamps;
}

void require_unchanged(const std::string& path, const std::vector<FileStamp>& before) {
    if (stamps_of(path) != before) {
        throw InputError(
            fmt::format("{}: was changed while it was read; wait until it is complete and run again", path));
    }
}

InputError missing_file(const std::string& path) {
    const fs::path wanted(path);
    const fs::path folder = wanted.has_parent_path() ? wanted.parent_path() : fs::path(".");
    constexpr std::size_t most = 1000;  // of a folder with more, the first that come
    std::vector<std::string> names;
    std::error_code failed;
    for (fs::directory_iterator entry(folder, failed), end; !failed && entry != end && names.size() < most;
         entry.increment(failed)) {
        names.push_back(entry->path().filename().string());
    }
    const std::string meant = likely_name(wanted.filename().string(), names);
    if (meant.empty()) {
        return InputError(path + ": no such file");
    }
    const fs::path likely = wanted.has_parent_path() ? folder / meant : fs::path(meant);
    return InputError(path + ": no such file; did you mean '" + likely.string() + "'?");
}

}  // namespace recon
