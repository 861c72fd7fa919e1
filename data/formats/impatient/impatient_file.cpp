#include "data/formats/impatient/impatient_file.hpp"

#include <fmt/format.h>

#include <bit>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <string_view>

#include "core/base/error.hpp"
#include "core/base/number_text.hpp"
#include "core/base/parse_number.hpp"
#include "data/files/file_identity.hpp"

namespace recon {
namespace {

static_assert(std::endian::native == std::endian::little, "the format is little-endian, and so is this reader");

std::string whole_file(const std::string& path) {
    require_file_or_folder(path);
    std::error_code ignored;
    if (!std::filesystem::is_regular_file(path, ignored)) {
        throw missing_file(path);
    }
    std::ifstream stream(path, std::ios::binary);
    std::string bytes(static_cast<std::size_t>(std::filesystem::file_size(path)), '\0');
    stream.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    if (!stream) {
        throw InputError(fmt::format("{}: cannot be read", path));
    }
    return bytes;
}

template <class T>
T value_at(const std::string& bytes, std::size_t offset) {
    T value;
    std::memcpy(&value, bytes.data() + offset, sizeof(T));
    return value;
}

void append_floats(const std::string& bytes, std::size_t offset, std::size_t count, std::vector<float>& values) {
    const std::size_t before = values.size();
    values.resize(before + count);
    std::memcpy(values.data() + before, bytes.data() + offset, count * sizeof(float));
}

/// float32 version, int32 rows, coils, slices, number of floats; then the floats.
ImpatientFile parse_binary(const std::string& path, const std::string& bytes) {
    constexpr std::size_t header_bytes = 20;
    constexpr float version = 0.2F;
    if (bytes.size() < header_bytes || std::abs(value_at<float>(bytes, 0) - version) > 1e-3F) {
        throw InputError(
            fmt::format("{}: has neither header of the IMPATIENT format (binary version 0.2, text version 1.0)", path));
    }
    const std::int64_t coils = value_at<std::int32_t>(bytes, 8);
    const std::int64_t count = value_at<std::int32_t>(bytes, 16);
    const auto stored = static_cast<std::int64_t>((bytes.size() - header_bytes) / sizeof(float));
    if (count < 1 || coils < 1 || count != stored || (bytes.size() - header_bytes) % sizeof(float) != 0) {
        throw InputError(fmt::format("{}: the header announces {} numbers of {}, but the file holds {} bytes after it",
                                     path, count, counted(coils, "coil"), bytes.size() - header_bytes));
    }
    ImpatientFile file;
    file.coil_count = coils;
    append_floats(bytes, header_bytes, static_cast<std::size_t>(count), file.values);
    return file;
}

/// Takes lines and blocks of numbers off the front of a text-headed file.
class TextParser {
public:
    TextParser(const std::string& path, const std::string& bytes) : path_(path), bytes_(bytes) {}

    ImpatientFile parse() {
        ImpatientFile file;
        Index announced_coils = 0;
        Index announced_floats = -1;
        Index block_floats = -1;
        Index blocks = 0;
        while (position_ < bytes_.size()) {
            const std::string_view line = next_line();
            const std::size_t equals = line.find('=');
            if (line == "EOF") {
                break;
            }
            if (line.starts_with("Binary:")) {
                const Index count = block_floats >= 0 ? block_floats : announced_floats;
                take_block(count, file.values);
                block_floats = -1;
                ++blocks;
            } else if (equals != std::string_view::npos) {
                const std::string_view key = trimmed(line.substr(0, equals));
                const std::string_view value = trimmed(line.substr(equals + 1));
                if (key == "Binary_Size") {
                    block_floats = number(key, value);
                } else if (key == "coil_number") {
                    announced_coils = number(key, value);
                } else if (key == "file_size") {
                    announced_floats = number(key, value);
                }
            } else if (!line.empty() && !line.starts_with("//")) {
                throw InputError(fmt::format("{}: line \"{}\" at byte {} is not understood", path_,
                                             std::string(line.substr(0, 40)), position_));
            }
        }
        if (blocks == 0 || file.values.empty() || (announced_coils > 1 && blocks > 1 && blocks != announced_coils)) {
            throw InputError(fmt::format("{}: holds {} blocks of numbers, and announces {}", path_, blocks,
                                         counted(announced_coils, "coil")));
        }
        file.coil_count = std::max(announced_coils, blocks);
        return file;
    }

private:
    static std::string_view trimmed(std::string_view text) {
        constexpr const char* blanks = " \t\r;";
        const std::size_t first = text.find_first_not_of(blanks);
        return first == std::string_view::npos ? "" : text.substr(first, text.find_last_not_of(blanks) - first + 1);
    }

    std::string_view next_line() {
        constexpr std::size_t longest = 4096;
        const std::size_t end = bytes_.find('\n', position_);
        const std::size_t length = (end == std::string::npos ? bytes_.size() : end) - position_;
        if (length > longest) {
            throw InputError(fmt::format("{}: text was expected at byte {}", path_, position_));
        }
        const std::string_view line(bytes_.data() + position_, length);
        position_ += length + 1;
        return trimmed(line);
    }

    Index number(std::string_view key, std::string_view value) const {
        const auto result = parse_number<Index>(value);
        if (!result || *result < 0) {
            throw InputError(fmt::format("{}: {} = {} is not a count", path_, std::string(key), std::string(value)));
        }
        return *result;
    }

    void take_block(Index count, std::vector<float>& values) {
        const std::size_t left = position_ < bytes_.size() ? bytes_.size() - position_ : 0;
        if (count < 1 || static_cast<std::size_t>(count) > left / sizeof(float)) {
            throw InputError(
                fmt::format("{}: a block of {} numbers is announced, but {} bytes are left", path_, count, left));
        }
        append_floats(bytes_, position_, static_cast<std::size_t>(count), values);
        position_ += static_cast<std::size_t>(count) * sizeof(float);
    }

    const std::string& path_;
    const std::string& bytes_;
    std::size_t position_ = 0;
};

}  // namespace

ImpatientFile read_impatient_file(const std::string& path) {
    const std::string bytes = whole_file(path);
    return bytes.starts_with("version") ? TextParser(path, bytes).parse() : parse_binary(path, bytes);
}

}  // namespace recon
