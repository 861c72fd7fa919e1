#pragma once

#include <cstdint>
#include <cstring>
#include <fstream>
#include <map>
#include <string>
#include <vector>

namespace recon::test {

enum class ImpatientHeader { binary, text };

/// One IMPATIENT .dat file as a string of bytes, `values` divided into equal blocks, one a coil.
inline std::string impatient_bytes(const std::vector<float>& values, ImpatientHeader header, int coils = 1) {
    std::string bytes;
    const auto append = [&](const void* data, std::size_t count) {
        bytes.append(static_cast<const char*>(data), count);
    };
    const auto total = static_cast<std::int32_t>(values.size());
    const std::int32_t each = total / coils;
    if (header == ImpatientHeader::binary) {
        const float version = 0.2F;
        const std::int32_t rest[] = {each, coils, 1, total};
        append(&version, sizeof(version));
        append(rest, sizeof(rest));
        append(values.data(), values.size() * sizeof(float));
        return bytes;
    }
    bytes = "version = 1.0\nxDimension = " + std::to_string(each) + "\nyDimension = 1\nzDimension = 1\n";
    if (coils > 1) {
        bytes += "coil_number = " + std::to_string(coils) + "\n";
    }
    bytes += "slice_number = 1\nfile_size = " + std::to_string(total) + "\n";
    for (int coil = 0; coil < coils; ++coil) {
        bytes += "// Coil No. " + std::to_string(coil + 1) + "\nBinary_Size = " + std::to_string(each) + "\nBinary:\n";
        append(values.data() + coil * each, static_cast<std::size_t>(each) * sizeof(float));
    }
    return bytes + "EOF\n";
}

inline void write_bytes(const std::string& path, const std::string& bytes) {
    std::ofstream(path, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}

}  // namespace recon::test
