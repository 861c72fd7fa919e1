#include "data/formats/npy/read_bytes.hpp"

#include <fmt/format.h>

#include <fstream>

#include "core/base/error.hpp"

namespace recon {

std::vector<std::byte> read_bytes(const std::string& path) {
    std::ifstream file(path, std::ios::binary | std::ios::ate);
    const auto size = file ? static_cast<std::streamoff>(file.tellg()) : std::streamoff{-1};
    std::vector<std::byte> bytes(static_cast<std::size_t>(size < 0 ? 0 : size));
    file.seekg(0);
    if (size < 0 || !file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(size))) {
        throw InputError(fmt::format("{}: cannot read the file", path));
    }
    return bytes;
}

std::vector<std::byte> first_bytes(const std::string& path, std::size_t most) {
    std::ifstream file(path, std::ios::binary);
    std::vector<std::byte> bytes(most);
    file.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(most));
    bytes.resize(static_cast<std::size_t>(file.gcount() < 0 ? 0 : file.gcount()));
    return bytes;
}

}  // namespace recon
