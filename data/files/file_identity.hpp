#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "core/base/error.hpp"

namespace recon {

/// A file of a command and what it is for: {"the image", "image.h5"}. An empty path is none.
struct NamedFile {
    std::string role;
    std::string path;
};

/// Refuses outputs that would overwrite an input or each other: the same file behind the names, links followed, told
/// by device and inode where it exists, else by its resolved path; either file of a pair of BART's (NAME.hdr, NAME.cfl)
/// stands for both. Inputs may be FILE:/dataset. Devices such as
/// /dev/stdout are no files to overwrite. Nothing is read or written.
/// @throws UsageError that names both
void require_outputs_apart(std::span<const NamedFile> inputs, std::span<const NamedFile> outputs);

/// Refuses what is neither a file nor a folder, as pipes, devices and sockets may wait forever or have no end, and what
/// may not be read. Missing files are none of its business. @throws InputError
void require_file_or_folder(const std::string& path);

/// "scam.h5: no such file; did you mean 'scan.h5'?": with the likeliest of the files beside it, if one is.
InputError missing_file(const std::string& path);

/// What changes when a file is written to or replaced. Of a folder: of the files in it.
struct FileStamp {
    std::uint64_t device = 0, inode = 0, size_bytes = 0;
    std::int64_t modified_ns = 0;
    bool operator==(const FileStamp&) const = default;
};
std::vector<FileStamp> stamps_of(const std::string& path);

/// @param before  `stamps_of` the path before it was read. @throws InputError if it has changed since
void require_unchanged(const std::string& path, const std::vector<FileStamp>& before);

}  // namespace recon
