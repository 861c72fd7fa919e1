#pragma once

#include <cstddef>
#include <span>
#include <string>

#include "data/files/content_hash.hpp"

namespace recon {

/// Where results are kept that take longer to compute than to read.
struct DiskCacheOptions {
    std::string folder;  ///< empty: nothing is kept
    std::size_t limit_bytes = std::size_t{2'000'000'000};

    bool enabled() const { return !folder.empty() && limit_bytes > 0; }
};

/// A folder of results, each a file named after the digest of all that it depends on.
///
/// Several processes may use one folder: an entry appears whole or not at all, readers need no lock, and each entry
/// carries the digest of its contents. Whatever goes wrong (no permission, disk full, damaged entry) costs the result
/// its place in the cache, never the run: the log says so, once for each folder where it cannot be written.
class DiskCache {
public:
    explicit DiskCache(DiskCacheOptions options) : options_(std::move(options)) {}

    /// Whether there is an entry, good or not.
    bool has(const Digest& key) const;

    /// Fills `contents` with what is kept under `key`, which becomes the entry used last.
    /// @return false if there is no such entry, or it is damaged; `contents` then is anything
    bool read(const Digest& key, std::span<std::byte> contents) const;

    /// Keeps `contents`; the entries that have not been used for longest make room. @return whether it is kept now
    bool write(const Digest& key, std::span<const std::byte> contents) const;

    std::string path_of(const Digest& key) const;

private:
    bool write_file(const std::string& path, const Digest& key, std::span<const std::byte> contents) const;
    void make_room(const std::string& newest) const;

    DiskCacheOptions options_;
};

}  // namespace recon
