#include "data/files/disk_cache.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <chrono>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <mutex>
#include <set>
#include <vector>

#include "core/base/error.hpp"
#include "core/base/log.hpp"
#include "core/base/memory_budget.hpp"
#include "data/files/atomic_output.hpp"

namespace recon {
namespace fs = std::filesystem;
namespace {

constexpr const char* suffix = ".q";
constexpr std::uint64_t magic = 0x3130'516e'6f63'6572;  // "reconQ01" where the lowest byte comes first

/// The beginning of every entry. A file of another byte order has another magic number.
struct Header {
    std::uint64_t magic_number = magic;
    std::uint64_t content_bytes = 0;
    Digest key{};
    Digest digest{};
    bool operator==(const Header&) const = default;
};
static_assert(sizeof(Header) == 80, "no padding: it goes to the file as it is");

class Descriptor {
public:
    explicit Descriptor(int descriptor) : descriptor_(descriptor) {}
    ~Descriptor() {
        if (descriptor_ >= 0) {
            ::close(descriptor_);
        }
    }
    Descriptor(const Descriptor&) = delete;
    Descriptor& operator=(const Descriptor&) = delete;
    operator int() const { return descriptor_; }

private:
    int descriptor_;
};

/// Calls pread or pwrite until all is done. @return false if that cannot be
template <class Byte, class Transfer>
bool transfer_all(std::span<Byte> bytes, std::size_t offset, Transfer&& transfer) {
    while (!bytes.empty()) {
        const ssize_t done = transfer(bytes.data(), bytes.size(), static_cast<off_t>(offset));
        if (done <= 0) {
            if (done < 0 && errno == EINTR) {
                continue;
            }
            return false;
        }
        offset += static_cast<std::size_t>(done);
        bytes = bytes.subspan(static_cast<std::size_t>(done));
    }
    return true;
}

bool read_all(int file, std::span<std::byte> bytes, std::size_t offset) {
    return transfer_all(bytes, offset,
                        [&](std::byte* to, std::size_t size, off_t at) { return ::pread(file, to, size, at); });
}

bool write_all(int file, std::span<const std::byte> bytes, std::size_t offset) {
    return transfer_all(bytes, offset, [&](const std::byte* from, std::size_t size, off_t at) {
        return ::pwrite(file, from, size, at);
    });
}

std::span<std::byte> bytes_of(Header& header) { return std::as_writable_bytes(std::span(&header, 1)); }

Digest digest_of_contents(std::span<const std::byte> contents) {
    ContentHash hash;
    hash.add_list(contents);
    return hash.digest();
}

/// An unwritable folder is the same news for every entry.
void warn_once(const std::string& folder, const std::string& reason) {
    static std::mutex mutex;
    static std::set<std::string> warned;
    const std::lock_guard lock(mutex);
    if (warned.insert(folder).second) {
        log_warning("{}: nothing can be kept in this cache ({}); give another folder with `cache`, or `no_cache`",
                    folder, reason);
    }
}

bool has_entry_name(const std::string& name) {
    constexpr std::size_t digits = 2 * sizeof(Digest);
    return name.size() >= digits + std::strlen(suffix) && name.compare(digits, std::strlen(suffix), suffix) == 0 &&
           name.find_first_not_of("0123456789abcdef") == digits;
}

struct Entry {
    fs::path path;
    std::size_t bytes;
    fs::file_time_type used;
};

/// The entries in a folder; removes what processes that died have left half-written.
std::vector<Entry> entries_in(const std::string& folder) {
    std::vector<Entry> entries;
    std::error_code error;
    const auto now = fs::file_time_type::clock::now();
    for (fs::directory_iterator file(folder, error), end; !error && file != end; file.increment(error)) {
        const std::string name = file->path().filename().string();
        std::error_code vanished;  // another process may remove it at any time
        const std::size_t bytes = file->file_size(vanished);
        const fs::file_time_type used = file->last_write_time(vanished);
        if (vanished || !has_entry_name(name)) {
            continue;
        }
        const bool finished = name.size() == 2 * sizeof(Digest) + std::strlen(suffix);
        if (finished) {
            entries.push_back({file->path(), bytes, used});
        } else if (now - used > std::chrono::hours(1)) {
            fs::remove(file->path(), vanished);
        }
    }
    return entries;
}

}  // namespace

std::string DiskCache::path_of(const Digest& key) const { return options_.folder + "/" + text_of(key) + suffix; }

bool DiskCache::has(const Digest& key) const { return options_.enabled() && ::access(path_of(key).c_str(), R_OK) == 0; }

bool DiskCache::read(const Digest& key, std::span<std::byte> contents) const {
    if (!options_.enabled()) {
        return false;
    }
    const std::string path = path_of(key);
    const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));  // a pipe would wait for a writer
    if (file < 0) {
        return false;
    }
    const auto ignore = [&](const std::string& reason) {
        log_warning("{}: this entry of the cache is ignored ({}); it will be replaced", path, reason);
        return false;
    };
    Header header;
    if (!read_all(file, bytes_of(header), 0) || header.magic_number != magic || header.key != key) {
        return ignore("it is no entry of this program's");
    }
    struct stat status {};
    if (header.content_bytes != contents.size() || ::fstat(file, &status) != 0 ||
        static_cast<std::size_t>(status.st_size) != sizeof(Header) + contents.size() ||
        !read_all(file, contents, sizeof(Header))) {
        return ignore(fmt::format("it is not {} long", memory_text(sizeof(Header) + contents.size())));
    }
    if (header.digest != digest_of_contents(contents)) {
        return ignore("it is damaged: its contents do not have the digest that they were written with");
    }
    ::futimens(file, nullptr);  // used now; where that is not allowed it is only thrown out earlier
    return true;
}

bool DiskCache::write(const Digest& key, std::span<const std::byte> contents) const {
    if (!options_.enabled()) {
        return false;
    }
    if (sizeof(Header) + contents.size() > options_.limit_bytes) {
        log_debug("the cache may hold {}, too little for {}", memory_text(options_.limit_bytes),
                  memory_text(contents.size()));
        return false;
    }
    std::error_code error;
    fs::create_directories(options_.folder, error);
    if (error) {
        warn_once(options_.folder, error.message());
        return false;
    }
    const std::string path = path_of(key);
    try {
        AtomicOutput output(path);
        if (!write_file(output.temporary_path(), key, contents)) {
            return false;
        }
        output.commit();
    } catch (const InputError& refusal) {
        warn_once(options_.folder, refusal.what());
        return false;
    }
    make_room(path);
    return true;
}

bool DiskCache::write_file(const std::string& path, const Digest& key, std::span<const std::byte> contents) const {
    Header header;
    header.content_bytes = contents.size();
    header.key = key;
    header.digest = digest_of_contents(contents);
    const Descriptor file(::open(path.c_str(), O_WRONLY | O_CLOEXEC));
    if (file < 0 || !write_all(file, bytes_of(header), 0) || !write_all(file, contents, sizeof(Header))) {
        warn_once(options_.folder, std::strerror(errno));
        return false;
    }
    return true;
}

/// Two processes may do this at once: both then remove the same entries, or one a few too many.
void DiskCache::make_room(const std::string& newest) const {
    std::vector<Entry> entries = entries_in(options_.folder);
    std::sort(entries.begin(), entries.end(), [](const Entry& a, const Entry& b) { return a.used < b.used; });
    std::size_t total = 0;
    for (const Entry& entry : entries) {
        total += entry.bytes;
    }
    for (const Entry& entry : entries) {
        if (total <= options_.limit_bytes) {
            return;
        }
        std::error_code vanished;
        if (entry.path != fs::path(newest) && fs::remove(entry.path, vanished)) {
            log_debug("removed {} from the cache", entry.path.string());
        }
        total -= entry.path == fs::path(newest) ? 0 : entry.bytes;
    }
}

}  // namespace recon
