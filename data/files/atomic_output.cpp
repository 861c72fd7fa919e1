#include "data/files/atomic_output.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <signal.h>
#include <unistd.h>

#include <array>
#include <atomic>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <system_error>

#include "core/base/error.hpp"

namespace recon {
namespace fs = std::filesystem;
namespace {

constexpr const char* mark = ".partial-";

/// Where a process number means one process: this host, or the container on it. Folders are shared between hosts.
std::string place_of_processes() {
    std::array<char, 256> host{};
    if (::gethostname(host.data(), host.size() - 1) != 0) {
        host[0] = 0;
    }
    std::error_code unknown;
    const std::string name = host.data() + fs::read_symlink("/proc/self/ns/pid", unknown).string();
    std::uint32_t hash = 2166136261U;  // FNV-1a
    for (const char letter : name) {
        hash = (hash ^ static_cast<unsigned char>(letter)) * 16777619U;
    }
    return fmt::format("{:08x}", hash);
}

/// FOLDER/NAME.partial-PLACE-, which the number of a process and one of its own follow. File systems take names of 255
/// bytes, so that NAME is only the beginning of a long one.
std::string temporary_prefix(const fs::path& target) {
    constexpr std::size_t most = 200;
    const std::string name = target.filename().string().substr(0, most);
    return (target.parent_path() / (name + mark + place_of_processes() + "-")).string();
}

/// Removes the temporary files of processes of this place that are no more.
void remove_litter(const fs::path& target, const fs::path& folder) {
    const std::string prefix = fs::path(temporary_prefix(target)).filename().string();
    std::error_code error;
    for (fs::directory_iterator entry(folder, error), end; !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        int process = 0, number = 0, length = 0;
        if (name.starts_with(prefix) &&
            std::sscanf(name.c_str() + prefix.size(), "%d-%d%n", &process, &number, &length) == 2 &&
            name.size() == prefix.size() + static_cast<std::size_t>(length) && process > 0 && ::kill(process, 0) != 0 &&
            errno == ESRCH) {
            ::unlink(entry->path().c_str());
        }
    }
}

/// Waits until a file or a folder is on the disk. @return false if that failed; file systems that cannot do it count as
/// having done it
bool synchronize(const std::string& path, int flags) {
    const int descriptor = ::open(path.c_str(), flags | O_CLOEXEC);
    if (descriptor < 0) {
        return false;
    }
    const bool done = ::fsync(descriptor) == 0 || errno == EINVAL || errno == ENOTSUP;
    const int reason = errno;
    const bool closed = ::close(descriptor) == 0;
    errno = done ? errno : reason;
    return done && closed;
}

/// Names of what is open already, /dev/stdout among them: a file behind them is not to be replaced.
bool is_open_already(const fs::path& path) {
    const std::string text = path.lexically_normal().string();
    return text.starts_with("/dev/std") || text.starts_with("/dev/fd/") ||
           (text.starts_with("/proc/") && text.find("/fd/") != std::string::npos);
}

/// Names that this process has not finished. A process that it has forked has a copy, and none of its own.
struct Unfinished {
    const pid_t owner = ::getpid();
    std::mutex mutex;
    std::set<std::string> names;
};

Unfinished& unfinished() {
    static Unfinished names;
    return names;
}

void note_unfinished(const std::string& name) {
    const std::lock_guard lock(unfinished().mutex);
    unfinished().names.insert(name);
}

void note_finished(const std::string& name) {
    const std::lock_guard lock(unfinished().mutex);
    unfinished().names.erase(name);
}

fs::path folder_of(const fs::path& path) { return path.has_parent_path() ? path.parent_path() : fs::path("."); }

}  // namespace

std::string written_path(const std::string& name) {
    fs::path path = name == "-" ? "/dev/stdout" : name;
    std::error_code ignored;
    constexpr int longest_chain = 40;  // as Linux
    for (int links = 0; links < longest_chain && fs::is_symlink(path, ignored); ++links) {
        if (is_open_already(path)) {
            break;
        }
        const fs::path target = fs::read_symlink(path, ignored);
        path = target.is_absolute() ? target : path.parent_path() / target;
    }
    return path.string();
}

bool goes_to_stdout(const std::string& path) { return written_path(path) == "/dev/stdout"; }

AtomicOutput::AtomicOutput(const std::string& path) : path_(path) {
    if (path.empty()) {
        throw InputError("the name of an output file is empty");
    }
    target_path_ = written_path(path);
    const fs::path target = target_path_;
    std::error_code ignored;
    if (fs::is_directory(target, ignored) || !target.has_filename()) {
        throw InputError(fmt::format("{}: is a folder; give the name of a file to write", path));
    }
    if (is_open_already(target) || (fs::exists(target, ignored) && !fs::is_regular_file(target, ignored))) {
        temporary_path_ = target_path_;
        return;
    }
    const fs::path folder = folder_of(target);
    if (!fs::is_directory(folder, ignored)) {
        throw InputError(fmt::format("{}: the folder {} does not exist; create it first", path, folder.string()));
    }

    remove_litter(target, folder);
    static std::atomic<int> counter{0};
    for (int attempt = 0; attempt < 100; ++attempt) {
        temporary_path_ = fmt::format("{}{}-{}", temporary_prefix(target), ::getpid(), counter++);
        const int descriptor = ::open(temporary_path_.c_str(), O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0666);
        if (descriptor >= 0) {
            ::close(descriptor);
            note_unfinished(temporary_path_);
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
    if (ahead_.valid()) {
        ahead_.wait();
    }
    if (pending_) {
        ::unlink(temporary_path_.c_str());
        note_finished(temporary_path_);
    }
}

void AtomicOutput::synchronize_ahead() {
    if (ahead_.valid() && ahead_.wait_for(std::chrono::seconds(0)) == std::future_status::ready) {
        ahead_failed_ = ahead_.get();
    }
    if (!pending_ || ahead_.valid() || ahead_failed_ != 0) {
        return;
    }
    try {
        ahead_ = std::async(std::launch::async,
                            [path = temporary_path_] { return synchronize(path, O_RDONLY) ? 0 : errno; });
    } catch (const std::system_error&) {  // no thread is to be had: all of it at the end
    }
}

void AtomicOutput::commit() {
    if (!pending_) {
        return;
    }
    // An error of the disk is told once: who has asked before is the only one to know.
    if (const int failed = ahead_.valid() ? ahead_.get() : ahead_failed_; failed != 0) {
        throw InputError(fmt::format("{}: cannot write it to the disk: {}", path_, std::strerror(failed)));
    }
    // Without it the name could survive a loss of power and the contents not.
    if (!synchronize(temporary_path_, O_RDONLY)) {
        throw InputError(fmt::format("{}: cannot write it to the disk: {}", path_, std::strerror(errno)));
    }
    if (std::rename(temporary_path_.c_str(), target_path_.c_str()) != 0) {
        throw InputError(
            fmt::format("{}: cannot rename the finished file {}: {}", path_, temporary_path_, std::strerror(errno)));
    }
    note_finished(temporary_path_);
    pending_ = false;
    synchronize(folder_of(target_path_).string(), O_RDONLY | O_DIRECTORY);  // the new name; the file is safe already
}

void abandon_all_outputs() noexcept {
    const std::unique_lock lock(unfinished().mutex, std::try_to_lock);
    if (!lock || unfinished().owner != ::getpid()) {
        return;
    }
    for (const std::string& name : unfinished().names) {
        ::unlink(name.c_str());
    }
}

}  // namespace recon
