#include "data/reading/scan/foreign_scan.hpp"

#include <bit>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>

namespace recon {
namespace {

static_assert(std::endian::native == std::endian::little);

template <class Number>
Number number_at(const std::string& bytes, std::size_t offset) {
    Number number = 0;
    if (offset + sizeof(Number) <= bytes.size()) {
        std::memcpy(&number, bytes.data() + offset, sizeof(Number));
    }
    return number;
}

/// From VD on a table of up to 64 measurements, the first of which begins behind it, at a multiple of 512; before, the
/// length of the protocol, the number of its parts, and the protocol [the layout as twixtools reads it].
bool is_siemens(const std::string& bytes, std::uintmax_t file_size) {
    constexpr std::uint32_t most_measurements = 64, most_identifier = 10000, block = 512, least_protocol = 1000;
    constexpr std::size_t first_offset_at = 16;
    const auto first = number_at<std::uint32_t>(bytes, 0), count = number_at<std::uint32_t>(bytes, 4);
    if (count == 0 || count > most_measurements) {
        return false;
    }
    if (first < most_identifier) {
        const auto begins = number_at<std::uint64_t>(bytes, first_offset_at);
        if (begins >= block && begins % block == 0 && begins < file_size) {
            return true;
        }
    }
    return first > least_protocol && first < file_size &&
           (bytes.find("<XProtocol>") != std::string::npos || bytes.find("ASCCONV BEGIN") != std::string::npos);
}

bool is_dicom(const std::string& bytes) {
    constexpr std::size_t preamble = 128;
    return bytes.size() > preamble && bytes.compare(preamble, 4, "DICM") == 0;
}

}  // namespace

std::string advice_on_foreign_scan(const std::string& path) {
    constexpr std::size_t looked_at = 16384;
    std::string bytes(looked_at, '\0');
    std::ifstream file(path, std::ios::binary);
    file.read(bytes.data(), static_cast<std::streamsize>(looked_at));
    bytes.resize(static_cast<std::size_t>(file.gcount()));
    std::error_code ignored;
    const std::uintmax_t size = std::filesystem::file_size(path, ignored);
    if (!ignored && is_siemens(bytes, size)) {
        return "Siemens raw data, which siemens_to_ismrmrd turns into MRD, or twixtools into arrays of NumPy";
    }
    if (is_dicom(bytes)) {
        return "DICOM: an image that is reconstructed already; `reference` and `prior_image` take it";
    }
    return "";
}

}  // namespace recon
