#include "data/formats/npy/zip_archive.hpp"

#include <fmt/format.h>
#include <zlib.h>

#include <algorithm>
#include <limits>

#include "core/base/error.hpp"

namespace recon {
namespace {

constexpr std::uint32_t local_signature = 0x04034b50, directory_signature = 0x02014b50, end_signature = 0x06054b50,
                        end64_locator_signature = 0x07064b50, end64_signature = 0x06064b50;
constexpr std::uint64_t local_size = 30, directory_size = 46, end_size = 22, end64_locator_size = 20;
constexpr std::uint64_t in_extra = 0xffffffff;  // the number is in the extra field of large files
constexpr unsigned stored = 0, deflated = 8;

/// zlib's counters have 32 bits: large blocks go through it in pieces.
std::uint32_t checksum_of(std::span<const std::byte> bytes) {
    uLong checksum = crc32(0, nullptr, 0);
    constexpr std::size_t piece = 1 << 30;
    for (std::size_t start = 0; start < bytes.size(); start += piece) {
        const auto part = bytes.subspan(start, std::min(piece, bytes.size() - start));
        checksum = crc32(checksum, reinterpret_cast<const Bytef*>(part.data()), static_cast<uInt>(part.size()));
    }
    return static_cast<std::uint32_t>(checksum);
}

/// @return false unless exactly `to` is filled
bool inflate_into(std::span<const std::byte> from, std::span<std::byte> to) {
    z_stream stream{};
    if (inflateInit2(&stream, -MAX_WBITS) != Z_OK) {
        return false;
    }
    constexpr std::size_t piece = 1 << 30;
    std::size_t read = 0, written = 0;
    int result = Z_OK;
    while (result == Z_OK) {
        const std::size_t in = std::min(piece, from.size() - read), out = std::min(piece, to.size() - written);
        stream.next_in = reinterpret_cast<Bytef*>(const_cast<std::byte*>(from.data() + read));
        stream.next_out = reinterpret_cast<Bytef*>(to.data() + written);
        stream.avail_in = static_cast<uInt>(in);
        stream.avail_out = static_cast<uInt>(out);
        result = inflate(&stream, Z_NO_FLUSH);
        read += in - stream.avail_in;
        written += out - stream.avail_out;
        if (result == Z_OK && stream.avail_in == in && stream.avail_out == out) {
            result = Z_BUF_ERROR;
        }
    }
    inflateEnd(&stream);
    return result == Z_STREAM_END && written == to.size();
}

void append(std::vector<std::byte>& bytes, std::uint64_t value, int byte_count) {
    for (int i = 0; i < byte_count; ++i) {
        bytes.push_back(i < 8 ? static_cast<std::byte>(value >> (8 * i) & 0xff) : std::byte{0});
    }
}

}  // namespace

ZipArchive::ZipArchive(std::vector<std::byte> bytes, std::string path)
    : bytes_(std::move(bytes)), path_(std::move(path)) {
    constexpr std::uint64_t longest_comment = 65535;
    const std::uint64_t size = bytes_.size();
    if (size < end_size) {
        fail("it is too short");
    }
    std::uint64_t end = size - end_size;
    const std::uint64_t last = end > longest_comment ? end - longest_comment : 0;
    while (number(end, 4) != end_signature) {
        if (end-- == last) {
            fail("it has no directory at its end");
        }
    }
    std::uint64_t count = number(end + 10, 2), start = number(end + 16, 4);
    if (end >= end64_locator_size && number(end - end64_locator_size, 4) == end64_locator_signature) {
        const std::uint64_t end64 = number(end - end64_locator_size + 8, 8);
        if (number(end64, 4) != end64_signature) {
            fail("its directory is not where it should be");
        }
        count = number(end64 + 32, 8);
        start = number(end64 + 48, 8);
    }
    read_directory(start, count);
}

void ZipArchive::read_directory(std::uint64_t position, std::uint64_t count) {
    for (std::uint64_t i = 0; i < count; ++i) {
        if (number(position, 4) != directory_signature) {
            fail("its directory is damaged");
        }
        Member member;
        member.method = static_cast<unsigned>(number(position + 10, 2));
        member.checksum = static_cast<std::uint32_t>(number(position + 16, 4));
        member.packed_size = number(position + 20, 4);
        member.size = number(position + 24, 4);
        member.header_start = number(position + 42, 4);
        const std::uint64_t name_size = number(position + 28, 2), extra_size = number(position + 30, 2),
                            comment_size = number(position + 32, 2);
        const std::uint64_t extra_end = position + directory_size + name_size + extra_size;
        number(extra_end, 0);  // inside of the file
        const std::string name(reinterpret_cast<const char*>(bytes_.data()) + position + directory_size, name_size);
        for (std::uint64_t at = extra_end - extra_size; at + 4 <= extra_end;) {
            const std::uint64_t kind = number(at, 2), length = number(at + 2, 2);
            std::uint64_t value = at + 4;
            for (std::uint64_t* large : {&member.size, &member.packed_size, &member.header_start}) {
                if (kind == 1 && *large == in_extra && value + 8 <= at + 4 + length) {
                    *large = number(value, 8);
                    value += 8;
                }
            }
            at += 4 + length;
        }
        members_[name] = member;
        position = extra_end + comment_size;
    }
}

std::vector<std::string> ZipArchive::names() const {
    std::vector<std::string> names;
    for (const auto& [name, member] : members_) {
        names.push_back(name);
    }
    return names;
}

std::vector<std::byte> ZipArchive::read(const std::string& name) const {
    const auto found = members_.find(name);
    if (found == members_.end()) {
        fail(fmt::format("it has no {}", name));
    }
    const Member& member = found->second;
    if (number(member.header_start, 4) != local_signature) {
        fail(fmt::format("{} is not where the directory says", name));
    }
    const std::uint64_t start =
        member.header_start + local_size + number(member.header_start + 26, 2) + number(member.header_start + 28, 2);
    constexpr std::uint64_t best_ratio = 1032;  // of deflate
    if (start > bytes_.size() || member.packed_size > bytes_.size() - start ||
        member.size / best_ratio > member.packed_size) {
        fail(fmt::format("{} claims more bytes than there are", name));
    }
    const std::span<const std::byte> packed(bytes_.data() + start, member.packed_size);
    std::vector<std::byte> result(member.size);
    if (member.method == stored && packed.size() == result.size()) {
        std::copy(packed.begin(), packed.end(), result.begin());
    } else if (member.method != deflated || !inflate_into(packed, result)) {
        fail(fmt::format("{} cannot be unpacked (method {})", name, member.method));
    }
    if (checksum_of(result) != member.checksum) {
        fail(fmt::format("the checksum of {} is wrong", name));
    }
    return result;
}

std::uint64_t ZipArchive::number(std::uint64_t position, int byte_count) const {
    if (position > bytes_.size() || static_cast<std::uint64_t>(byte_count) > bytes_.size() - position) {
        fail("it ends too early");
    }
    std::uint64_t value = 0;
    for (int i = 0; i < byte_count; ++i) {
        value |= std::to_integer<std::uint64_t>(bytes_[position + static_cast<std::uint64_t>(i)]) << (8 * i);
    }
    return value;
}

void ZipArchive::fail(const std::string& what) const {
    throw InputError(fmt::format("{}: is no zip archive, or damaged: {}", path_, what));
}

std::vector<std::byte> zip_bytes(const std::vector<std::pair<std::string, std::vector<std::byte>>>& files,
                                 const std::string& path) {
    std::vector<std::byte> bytes, directory;
    for (const auto& file : files) {  // no structured binding: clang 14 captures none
        const std::string& name = file.first;
        const std::vector<std::byte>& contents = file.second;
        if (bytes.size() + contents.size() > std::numeric_limits<std::uint32_t>::max() - (1 << 20)) {
            throw InputError(fmt::format("{}: would have more than 4 GB; write another format", path));
        }
        const std::uint64_t start = bytes.size();
        const auto append_common = [&](std::vector<std::byte>& to) {
            append(to, 20, 2);  // version 2.0
            append(to, 0, 2);
            append(to, stored, 2);
            append(to, 0x00210000, 4);  // 1 January 1980, as all times would make the same contents differ
            append(to, checksum_of(contents), 4);
            append(to, contents.size(), 4);
            append(to, contents.size(), 4);
            append(to, name.size(), 2);
            append(to, 0, 2);
        };
        const auto append_name = [&](std::vector<std::byte>& to) {
            for (const char c : name) {
                to.push_back(static_cast<std::byte>(c));
            }
        };
        append(bytes, local_signature, 4);
        append_common(bytes);
        append_name(bytes);
        bytes.insert(bytes.end(), contents.begin(), contents.end());
        append(directory, directory_signature, 4);
        append(directory, 20, 2);
        append_common(directory);
        append(directory, 0, 2 + 2 + 2 + 4);
        append(directory, start, 4);
        append_name(directory);
    }
    const std::uint64_t start = bytes.size();
    bytes.insert(bytes.end(), directory.begin(), directory.end());
    append(bytes, end_signature, 4);
    append(bytes, 0, 4);
    append(bytes, files.size(), 2);
    append(bytes, files.size(), 2);
    append(bytes, directory.size(), 4);
    append(bytes, start, 4);
    append(bytes, 0, 2);
    return bytes;
}

}  // namespace recon
