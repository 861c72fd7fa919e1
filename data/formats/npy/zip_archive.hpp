#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <span>
#include <string>
#include <vector>

namespace recon {

/// The files in a zip archive that is wholly in memory, stored or deflated, as NumPy writes them [APPNOTE 6.3].
class ZipArchive {
public:
    /// @param path  of the archive, for messages. @throws InputError if it is damaged
    ZipArchive(std::vector<std::byte> bytes, std::string path);

    std::vector<std::string> names() const;
    bool has(const std::string& name) const { return members_.contains(name); }
    /// @throws InputError if there is no such file, or its bytes do not give the checksum
    std::vector<std::byte> read(const std::string& name) const;

private:
    struct Member {
        unsigned method = 0;
        std::uint32_t checksum = 0;
        std::uint64_t packed_size = 0, size = 0, header_start = 0;
    };
    void read_directory(std::uint64_t start, std::uint64_t count);
    std::uint64_t number(std::uint64_t position, int byte_count) const;
    [[noreturn]] void fail(const std::string& what) const;

    std::vector<std::byte> bytes_;
    std::string path_;
    std::map<std::string, Member> members_;
};

/// The bytes of an archive with these files, stored as they are. @throws InputError from 4 GB on
std::vector<std::byte> zip_bytes(const std::vector<std::pair<std::string, std::vector<std::byte>>>& files,
                                 const std::string& path);

}  // namespace recon
