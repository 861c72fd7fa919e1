#include "data/formats/bart/bart_file.hpp"

#include <fmt/format.h>

#include <filesystem>
#include <fstream>
#include <limits>
#include <span>
#include <sstream>

#include "core/base/error.hpp"
#include "data/files/write_bytes.hpp"
#include "data/reading/format.hpp"

namespace recon {
namespace {

constexpr std::string_view dimensions_line = "# Dimensions";

/// The extents in a header; missing ones are 1.
BartExtents read_extents(const std::string& path) {
    std::ifstream file(path);
    std::string line;
    while (std::getline(file, line) && !line.starts_with(dimensions_line)) {
    }
    BartExtents extents;
    extents.fill(1);
    if (!std::getline(file, line)) {
        throw InputError(fmt::format("{}: has no line of numbers after \"{}\"", path, dimensions_line));
    }
    std::istringstream numbers(line);
    Index elements = 1;
    std::size_t rank = 0;
    for (Index extent = 0; numbers >> extent; ++rank) {
        if (extent < 1 || elements > std::numeric_limits<Index>::max() / static_cast<Index>(sizeof(cfloat)) / extent) {
            throw InputError(
                fmt::format("{}: dimension {} has the extent {}, expected a number from 1 on that memory "
                            "can hold",
                            path, rank, extent));
        }
        if (rank >= bart_rank && extent != 1) {
            throw InputError(fmt::format("{}: has more than {} dimensions", path, bart_rank));
        }
        if (rank < bart_rank) {
            extents[rank] = extent;
        }
        elements *= extent;
    }
    if (rank == 0 || !numbers.eof()) {
        throw InputError(fmt::format("{}: the dimensions are \"{}\", expected whole numbers", path, line));
    }
    return extents;
}

}  // namespace

std::string bart_base(const std::string& path) {
    return has_extension(path, ".cfl") || has_extension(path, ".hdr") ? path.substr(0, path.size() - 4) : path;
}

bool is_bart(const std::string& path) {
    const std::string base = bart_base(path);
    std::error_code ignored;
    if (base == path || !std::filesystem::is_regular_file(base + ".cfl", ignored) ||
        !std::filesystem::is_regular_file(base + ".hdr", ignored)) {
        return false;
    }
    std::ifstream header(base + ".hdr");
    constexpr int looked_at = 16;  // lines; BART writes it first
    std::string line;
    for (int i = 0; i < looked_at && std::getline(header, line); ++i) {
        if (line.starts_with(dimensions_line)) {
            return true;
        }
    }
    return false;
}

Index BartFile::element_count() const {
    Index count = 1;
    for (const Index extent : extents) {
        count *= extent;
    }
    return count;
}

std::vector<cfloat> BartFile::read(Index first, Index count) const {
    std::vector<cfloat> values(static_cast<std::size_t>(count));
    std::ifstream file(cfl_path, std::ios::binary);
    file.seekg(first * static_cast<Index>(sizeof(cfloat)));
    const auto bytes = std::as_writable_bytes(std::span(values));
    if (!file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()))) {
        throw InputError(fmt::format("{}: cannot read {} numbers from number {} on", cfl_path, count, first));
    }
    return values;
}

std::string BartFile::text() const {
    std::string text;
    for (std::size_t i = 0; i < bart_rank; ++i) {
        if (extents[i] > 1) {
            text += fmt::format("{}{} {}", text.empty() ? "" : ", ", bart_dimension_names[i], extents[i]);
        }
    }
    return text.empty() ? "one number" : text;
}

BartFile open_bart(const std::string& path) {
    const std::string base = bart_base(path);
    BartFile file{base + ".cfl", read_extents(base + ".hdr")};
    std::error_code failed;
    const auto bytes = static_cast<Index>(std::filesystem::file_size(file.cfl_path, failed));
    const Index expected = file.element_count() * static_cast<Index>(sizeof(cfloat));
    if (failed || bytes != expected) {
        throw InputError(fmt::format("{}: has {} bytes, expected {} for {} complex numbers ({} in {}.hdr)",
                                     file.cfl_path, failed ? 0 : bytes, expected, file.element_count(), file.text(),
                                     base));
    }
    return file;
}

void write_bart(const std::string& path, const BartExtents& extents, const std::vector<cfloat>& values) {
    const std::string base = bart_base(path);
    std::string header = std::string(dimensions_line) + "\n";
    for (const Index extent : extents) {
        header += fmt::format("{} ", extent);
    }
    header += "\n# Creator\nrecon\n";
    write_bytes(base + ".cfl", std::as_bytes(std::span(values)));
    write_bytes(base + ".hdr", std::as_bytes(std::span(header)));
}

}  // namespace recon
